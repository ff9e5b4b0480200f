import type { FileRef } from '#shared/files.ts'

/**
 * Returns whether a file is a PDF. The extension can be trusted, because a file whose content does not match
 * it is rejected.
 */
export const isPdf = ({ kind, name }: FileRef) => kind === 'document' && /\.pdf$/i.test(name)
