/** The variable of an app, and its value, with which builds replace Google Fonts by fonts that visitors have (decision 127). */
export const FALLBACK_FONTS = { name: 'LONGSHORE_GOOGLE_FONTS', value: 'fallback' } as const;
