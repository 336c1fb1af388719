/** Two columns where there is room. As high as the screen, so that cards that come late push nothing one sees. */
export const APP_GRID =
  'grid min-h-dvh grid-cols-1 content-start items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]';
