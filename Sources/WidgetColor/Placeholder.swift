// WidgetColor
