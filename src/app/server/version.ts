/** Version of the panel, as in package.json. */
export const version = '0.1.0'
