/*
 * File types that the panel accepts (docs/spec-gaps.md#files). The server checks the content as well; the browser offers these in the file chooser.
 */

export const fileKinds = ['image', 'document', 'video', 'audio', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

interface FileType {
  kind: FileKind
  mime: string
}

/** By extension, without the dot. SVG, HTML and XML are left out: a browser runs the scripts in them. */
export const fileTypes = {
  png: { kind: 'image', mime: 'image/png' },
  jpg: { kind: 'image', mime: 'image/jpeg' },
  webp: { kind: 'image', mime: 'image/webp' },
  gif: { kind: 'image', mime: 'image/gif' },
  avif: { kind: 'image', mime: 'image/avif' },
  pdf: { kind: 'document', mime: 'application/pdf' },
  docx: { kind: 'document', mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
  xlsx: { kind: 'document', mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { kind: 'document', mime: 'text/csv' },
  txt: { kind: 'document', mime: 'text/plain' },
  mp4: { kind: 'video', mime: 'video/mp4' },
  webm: { kind: 'video', mime: 'video/webm' },
  mp3: { kind: 'audio', mime: 'audio/mpeg' },
} as const satisfies Record<string, FileType>

export type Ending = keyof typeof fileTypes

const also: Record<string, Ending> = { jpeg: 'jpg' }

/** Returns the extension of a name if it is accepted. */
export function endingOf(name: string): Ending | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = also[ending] ?? ending
  return Object.hasOwn(fileTypes, known) ? (known as Ending) : undefined
}

export const endingsOf = (kinds: readonly FileKind[] | undefined): Ending[] =>
  (Object.keys(fileTypes) as Ending[]).filter((ending) => !kinds || kinds.includes(fileTypes[ending].kind))

/** Returns the `accept` attribute of a file input. */
export const acceptOf = (kinds: readonly FileKind[] | undefined): string =>
  [...endingsOf(kinds), ...Object.entries(also).flatMap(([other, one]) => (endingsOf(kinds).includes(one) ? [other] : []))]
    .map((ending) => `.${ending}`)
    .join(',')
