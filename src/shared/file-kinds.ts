/*
 * File types that the panel accepts (docs/spec-gaps.md#files). The server also checks the content; the
 * browser offers these types in the file picker.
 */

export const fileKinds = ['image', 'document', 'video', 'audio', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

interface FileType {
  kind: FileKind
  mime: string
}

/**
 * Keyed by extension, without the dot. SVG, HTML, and XML are left out because browsers run scripts in them. ZIP
 * archives and emails are never opened in the browser: they are downloads, whose contents the server lists. Photos of
 * phones (HEIC) are shown as JPEG, and downloaded as they are.
 */
export const fileTypes = {
  png: { kind: 'image', mime: 'image/png' },
  jpg: { kind: 'image', mime: 'image/jpeg' },
  webp: { kind: 'image', mime: 'image/webp' },
  gif: { kind: 'image', mime: 'image/gif' },
  avif: { kind: 'image', mime: 'image/avif' },
  heic: { kind: 'image', mime: 'image/heic' },
  pdf: { kind: 'document', mime: 'application/pdf' },
  docx: { kind: 'document', mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
  xlsx: { kind: 'document', mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { kind: 'document', mime: 'text/csv' },
  txt: { kind: 'document', mime: 'text/plain' },
  mp4: { kind: 'video', mime: 'video/mp4' },
  webm: { kind: 'video', mime: 'video/webm' },
  mp3: { kind: 'audio', mime: 'audio/mpeg' },
  zip: { kind: 'other', mime: 'application/zip' },
  eml: { kind: 'other', mime: 'message/rfc822' },
} as const satisfies Record<string, FileType>

export type FileExtension = keyof typeof fileTypes

/** Returns whether every email client shows images of a MIME type in a text. */
export const isShownByMail = (mime: string): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(mime)

const extensionAliases: Record<string, FileExtension> = { jpeg: 'jpg', heif: 'heic' }

/** Returns a file name's extension if it is accepted. */
export function extensionOf(name: string): FileExtension | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = extensionAliases[ending] ?? ending
  return Object.hasOwn(fileTypes, known) ? (known as FileExtension) : undefined
}

/** Browsers can’t show HEIC, so a field of images, which they crop before the upload, doesn't accept it. */
export const extensionsOf = (kinds: readonly FileKind[] | undefined): FileExtension[] =>
  (Object.keys(fileTypes) as FileExtension[]).filter(
    (ending) => !kinds || (kinds.includes(fileTypes[ending].kind) && ending !== 'heic'),
  )

/** Returns the `accept` attribute of a file input. */
export const acceptOf = (kinds: readonly FileKind[] | undefined): string =>
  [
    ...extensionsOf(kinds),
    ...Object.entries(extensionAliases).flatMap(([other, one]) =>
      extensionsOf(kinds).includes(one) ? [other] : [],
    ),
  ]
    .map((ending) => `.${ending}`)
    .join(',')

/** Returns as what the contents of a file with this name can be listed. */
export function listableAs(name: string): 'zip' | 'eml' | undefined {
  const ending = /\.(zip|eml)$/i.exec(name)?.[1]
  return ending?.toLowerCase() as 'zip' | 'eml' | undefined
}
