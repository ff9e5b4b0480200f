import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { matching, orders } from '#features/crm/leads/list/server/list.queries.ts'
import { asCsv } from '#server/csv.ts'
import { HttpError } from '#server/http/errors.ts'
import { streamWhileRead } from '#server/unread.ts'

const rowsAtOnce = 1000
/** Each export holds a connection from the pool until it has been read. */
const mostExports = 4
let running = 0

/** Column headers and their SQL. */
const columns = {
  Number: 'l.lead_id',
  Company: 'l.company_name',
  Contact: 'l.contact_name',
  Email: 'l.email',
  Phone: 'l.phone',
  Country: 'l.country',
  Website: 'l.company_url',
  Product: '(select p.name from products p where p.id = l.lead_for)',
  Status: '(select s.name from lead_statuses s where s.id = l.status)',
  Reason: `coalesce(l.reject_msg, '')`,
  Priority: '(select c.name from lead_colors c where c.id = l.color)',
  Assignee: `coalesce((select s.name from staff s where s.id = l.assign_to), '')`,
  'Follow-up date': 'l.followup_date',
  'Lead date': 'l.lead_date',
  'Request date': 'l.request_date',
  'Implementation date': 'l.implement_date',
  Type: `case l.lead_type when 1 then '${leadTypes[1]}' else '${leadTypes[2]}' end`,
  Demo: `(array['${Object.values(demoStates).join("', '")}'])[l.demo_status + 1]`,
  Service: 'l.services',
  Source: 'l.hear_about',
  Tags: `(select string_agg(t.name::text, ', ' order by t.name) from lead_tag_links k join lead_tags t on t.id = k.tag_id where k.lead_id = l.lead_id)`,
  'Types of goods': `array_to_string(l.cog_types, ', ')`,
  'Additional info': 'l.additional_info',
  Answer: 'l.answer',
  Join: 'l."join"',
  Key: 'l.reference',
  'Imported details': `(select string_agg((d.detail ->> 'label') || ': ' || (d.detail ->> 'value'), '; ' order by d.place) from jsonb_array_elements(l.details) with ordinality d (detail, place))`,
} as const

/**
 * Opens a stream of all leads that match the filters, in list order, as CSV for spreadsheets, with a BOM and
 * with formulas escaped. Reads through a cursor, so that a million leads need no more memory than a thousand,
 * and concurrent changes have no effect.
 * @throws HttpError 503 if too many exports are running.
 */
export async function openExport(
  pool: pg.Pool,
  filters: LeadFilters,
  viewer: Viewer,
  today: PlainDate,
): Promise<Readable> {
  if (running >= mostExports)
    throw new HttpError(503, 'Too many exports are running. Try again in a moment.', { retryAfter: 10 })
  running += 1
  try {
    const client = await pool.connect()
    try {
      const { where, values } = matching(filters, viewer, filters.today ?? today)
      const { from, inner } = orders[filters.column][filters.direction]
      await client.query('begin read only')
      // Longer timeouts: the first fetch may have to sort all leads, and a client can be slow to read.
      await client.query(
        "set local statement_timeout = '60s'; set local idle_in_transaction_session_timeout = '5min'",
      )
      await client.query(
        `declare leads_to_export no scroll cursor for select ${Object.values(columns).join(', ')} from (select ${from} where ${where} order by ${inner}) l`,
        values,
      )
      const stream = streamWhileRead(readExport(client))
      // This also runs if the stream was never read. If the stream was abandoned halfway, the connection is
      // discarded along with its transaction.
      return stream.once('close', () => {
        client.release(!stream.readableEnded)
        running -= 1
      })
    } catch (error) {
      client.release(true)
      throw error
    }
  } catch (error) {
    running -= 1
    throw error
  }
}

async function* readExport(client: pg.PoolClient): AsyncGenerator<string> {
  yield `\ufeff${asCsv([Object.keys(columns)])}`
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `fetch ${rowsAtOnce} from leads_to_export`,
      rowMode: 'array',
    })
    if (rows.length) yield asCsv(rows)
    if (rows.length < rowsAtOnce) break
  }
  await client.query('commit')
}
