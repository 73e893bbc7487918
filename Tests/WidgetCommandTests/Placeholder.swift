// WidgetCommandTests
