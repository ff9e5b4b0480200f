import { sql } from 'kysely'
import type { ImportMapping } from '#features/crm/leads/import/mapping.contract.ts'
import { findLists } from '#features/crm/leads/import/server/lists.queries.ts'
import { isUnknownWord } from '#features/crm/leads/import/server/read-value.ts'
import { readCell, type FileRow } from '#features/crm/leads/import/server/table-file.ts'
import type { Db } from '#server/db/db.ts'

type Words = NonNullable<ImportMapping['words']>

/** Number of imports of a product whose words are proposed, newest first. */
const mostImports = 20
const mostWords = 500

/**
 * Returns what words of a file meant in earlier imports of the product that were started: those words that the file has,
 * in any case, and that mean an entry that its list still has.
 */
export async function findRememberedWords(
  db: Db,
  lead_for: number,
  rows: readonly Pick<FileRow, 'cells'>[],
): Promise<Words> {
  const { rows: meant } = await sql<Words[number]>`
    select distinct on (w ->> 'field', lower(w ->> 'word')) w ->> 'field' as field, w ->> 'word' as word, w ->> 'entry' as entry
    from (
      select id, mapping from lead_imports where (mapping ->> 'lead_for')::int = ${lead_for} and operation_id is not null
        and mapping ? 'words' order by id desc limit ${mostImports}
    ) i, jsonb_array_elements(i.mapping -> 'words') w
    order by w ->> 'field', lower(w ->> 'word'), i.id desc`.execute(db)
  if (meant.length === 0) return []
  const lists = await findLists(db, lead_for)
  const wanted = new Set(meant.map(({ word }) => word.toLowerCase()))
  const longest = Math.max(...meant.map(({ word }) => word.length))
  const found = new Set<string>()
  for (const { cells } of rows)
    for (const raw of cells) {
      const word = readCell(raw)
      if (word.length <= longest && wanted.has(word.toLowerCase())) found.add(word.toLowerCase())
    }
  return (
    meant
      .filter(({ word }) => found.has(word.toLowerCase()))
      // The word may be an entry by now, or its entry none any longer.
      .filter(
        ({ field, word, entry }) =>
          isUnknownWord(field, word, lists) && (entry === '' || !isUnknownWord(field, entry, lists)),
      )
      .slice(0, mostWords)
      .map((one) => ({ ...one, remembered: true }))
  )
}
