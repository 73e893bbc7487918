// WidgetJSON
