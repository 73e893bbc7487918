// WidgetColorTests
