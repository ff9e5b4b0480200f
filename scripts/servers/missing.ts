/** Thrown if a check can't be run here. */
export class Missing extends Error {}
