// WidgetJSONTests
