/** Says below the field of a slug where it comes from. */
export const slugHint = 'Leave empty to generate it from the title. Old slugs keep working.'
