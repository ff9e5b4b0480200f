/*
 * The files that the panel takes (docs/spec-gaps.md#files). The server looks at the content as well; the browser offers these in the chooser.
 */

export const fileKinds = ['image', 'document', 'video', 'audio', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

interface FileType {
  kind: FileKind
  mime: string
}

/** By ending, without the dot. SVG, HTML and XML are not among them: a browser runs what stands in them. */
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

/** The ending of a name, if it is one that is taken. */
export function endingOf(name: string): Ending | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = also[ending] ?? ending
  return Object.hasOwn(fileTypes, known) ? (known as Ending) : undefined
}

export const endingsOf = (kinds: readonly FileKind[] | undefined): Ending[] =>
  (Object.keys(fileTypes) as Ending[]).filter((ending) => !kinds || kinds.includes(fileTypes[ending].kind))

/** What the chooser of the browser offers. */
export const acceptOf = (kinds: readonly FileKind[] | undefined): string =>
  [...endingsOf(kinds), ...Object.entries(also).flatMap(([other, one]) => (endingsOf(kinds).includes(one) ? [other] : []))]
    .map((ending) => `.${ending}`)
    .join(',')
