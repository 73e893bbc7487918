// PublicAPITests
