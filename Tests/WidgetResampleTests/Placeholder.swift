// WidgetResampleTests
