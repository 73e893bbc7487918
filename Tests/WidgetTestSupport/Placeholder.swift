// WidgetTestSupport
