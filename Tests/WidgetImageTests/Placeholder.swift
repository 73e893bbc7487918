// WidgetImageTests
