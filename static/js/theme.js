// Runs before the first paint, so that a chosen theme never flashes. Without a choice the style sheet follows the system.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* storage is closed to this page: follow the system */ }
