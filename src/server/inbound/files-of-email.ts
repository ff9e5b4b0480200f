import { sql } from 'kysely'
import { largestFile } from '#shared/files.ts'
import type { App } from '#server/app.ts'
import type { EmailFile } from '#server/inbound/email.ts'
import type { Receiving } from '#server/inbound/inbox.ts'
import { BadFile, inspectAnyFile, safeName, type ReceivedFile } from '#server/files/inspect-file.ts'
import { storeFiles } from '#server/files/record-files.ts'

/** The files of an email that were saved. */
export interface SavedFiles {
  ids: number[]
  /** IDs by content ID. */
  byContentId: ReadonlyMap<string, number>
  problems: string[]
  /** Attaches the files to a record. */
  attach: (owner: { type: string; id: number }) => Promise<void>
}

/** Saves the files of an email; those that can't be saved are named with the reason. */
export async function keepFiles(
  app: App,
  context: Receiving,
  files: readonly (EmailFile | ReceivedFile)[],
): Promise<SavedFiles> {
  const good: { file: ReceivedFile; content_id: string }[] = []
  const problems: string[] = []
  for (const one of files)
    try {
      good.push(
        'content' in one
          ? { file: await inspect(app, one), content_id: one.content_id }
          : { file: one, content_id: '' },
      )
    } catch (error) {
      if (!(error instanceof BadFile)) throw error
      problems.push(error.message)
    }
  const rows = await storeFiles(
    app.files,
    context,
    good.map(({ file }) => file),
  )
  const ids = rows.map(({ id }) => id)
  return {
    ids,
    byContentId: new Map(
      good.flatMap(({ content_id }, index) => (content_id ? [[content_id, ids[index]!]] : [])),
    ),
    problems,
    attach: (owner) => linkFiles(context, ids, owner),
  }
}

async function inspect(app: App, { name, content }: EmailFile): Promise<ReceivedFile> {
  const own = safeName(name)
  if (content.byteLength === 0) throw new BadFile(`${own} is empty.`)
  if (content.byteLength > largestFile)
    throw new BadFile(`${own} is larger than ${largestFile / 1_000_000} MB.`)
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return inspectAnyFile(app.files, await app.files.receiveBytes(bytes), own)
}

/** Attaches saved files to a record of an email, or to the message that it became. */
export async function linkFiles(
  { db, viewer }: Pick<Receiving, 'db' | 'viewer'>,
  ids: readonly number[],
  { type, id }: { type: string; id: number },
): Promise<void> {
  if (ids.length === 0) return
  await sql`insert into file_links (file_id, record_type, record_id, role, position, created_by)
    select file_id, ${type}, ${id}, 'attachment', position - 1, ${viewer?.id ?? null}
    from unnest(${ids}::int[]) with ordinality as one (file_id, position) on conflict do nothing`.execute(db)
}

/** Returns an email's HTML, in which images that it refers to by content ID name the saved files. */
export function showFilesInText(html: string, { byContentId }: SavedFiles): string {
  if (byContentId.size === 0) return html
  return html.replaceAll(/cid:([^"'\s>)]{1,300})/gi, (whole, id: string) => {
    const file = byContentId.get(id) ?? byContentId.get(decoded(id))
    return file === undefined ? whole : `cid:file-${file}`
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
