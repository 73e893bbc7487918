// WidgetCoreTests
