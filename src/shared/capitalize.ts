/** Returns a name as it starts a heading or a sentence. */
export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
