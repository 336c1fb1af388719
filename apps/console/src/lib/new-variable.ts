/** The parameter of the tab Variables that names a variable to add. An address never contains values. */
export const NEW_VARIABLE = 'add';
