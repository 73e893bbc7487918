// WidgetCodecsTests
