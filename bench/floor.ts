import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/*
 * The floor: the least that the lead list and the lead create can cost. Bare node:http and named pg statements, the same
 * statements as the panel's, session, rights, audit and idempotency key included, and the same reply. It trusts its
 * input, writes no log and knows no other endpoint. With LEAN=1 the list's two statements are sent together on one
 * connection, as the panel sends them, which is the least that these two statements can cost.
 */

pg.types.setTypeParser(1082, (day) => day)
pg.types.setTypeParser(1184, (instant) => new Date(instant).toISOString())
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

const isLean = process.env['LEAN'] === '1'
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20, pipeline: isLean })

const session = `select s.id as session_id, s.staff_id, u.role_id, u.first_name || ' ' || u.last_name as name, r.grants_version, s.last_used_at,
  array(select product_id from staff_products p where p.staff_id = u.id order by product_id) as products
from sessions s join staff u on u.id = s.staff_id join roles r on r.id = u.role_id
where s.token_hash = $1 and s.ended_at is null and s.expires_at > $2 and (s.remember or s.last_used_at > $3) and u.banned_at is null`

const columns = `l.lead_id, l.company_name as "companyName", l.contact_name as "contactName", l.phone, l.email, l.country, l.lead_for, l.services, l.company_url,
  l.lead_type, l.color, l.status, l.demo_status, l.lead_date, l.request_date, l.followup_date, l.reject_msg, l.amount, l.currency, l.recurring, l.expected_close, l.assign_to,
  (select s.first_name || ' ' || s.last_name from staff s where s.id = l.assign_to) as assigned_name,
  array(select t.tag_id from lead_tag_links t where t.lead_id = l.lead_id order by t.tag_id) as tag_ids, l.custom_values, l.version,
  (select floor(extract(epoch from now() - active.at) / 86400)::int from lead_statuses s, lateral (select coalesce((select a.at from audit_log a
    where a.target_type = 'lead' and a.target_id = l.lead_id order by a.id desc limit 1), l.created_at) as at) active
    where s.id = l.status and s.stuck_days > 0 and active.at < now() - make_interval(days => s.stuck_days)) as stuck_days`

interface Viewer {
  staff_id: number
  role_id: number
  products: number[]
}

const grants = new Map<number, { version: number; names: Set<string> }>()

async function signedIn(request: IncomingMessage, permission: string): Promise<Viewer | undefined> {
  const token = request.headers.authorization?.slice(7) ?? ''
  const now = new Date()
  const { rows } = await pool.query({
    name: 'session',
    text: session,
    values: [createHash('sha256').update(token).digest(), now, new Date(now.getTime() - 28_800_000)],
  })
  const row = rows[0]
  if (!row) return undefined
  let held = grants.get(row.role_id)
  if (held?.version !== row.grants_version) {
    const found = await pool.query({
      name: 'grants',
      text: 'select permission from role_permissions where role_id = $1',
      values: [row.role_id],
    })
    held = { version: row.grants_version, names: new Set(found.rows.map((one) => one.permission)) }
    grants.set(row.role_id, held)
  }
  return held!.names.has(permission) ? row : undefined
}

const days = 'l.lead_date >= $2 and l.lead_date <= $3'
const beside = (total: string, place: number) =>
  `select (select ${total}) as total, (select coalesce(json_agg(json_build_object('id', id, 'slug', slug, 'name', name, 'status', status) order by id), '[]') from products where status = 1 and id = any($${place})) as active_products, (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by position, name), '[]') from lead_tags) as all_tags`
const page = (where: string, place: number) =>
  `select ${columns} from (select l.*, l.lead_date as sorted_by from leads l where ${where} order by l.lead_date desc, l.lead_id desc limit 20 offset $${place}) l order by l.sorted_by desc, l.lead_id desc`
const ofDays = `l.lead_for = $1 and ${days}`
const plain = `l.deleted_at is null and ${ofDays}`
const byStatus = `${plain} and l.status = $4`
const statements = {
  plainPage: page(plain, 4),
  plainBeside: beside(`coalesce(sum(l.change), 0) from lead_counts l where ${ofDays}`, 4),
  statusPage: page(byStatus, 5),
  statusBeside: beside(`count(*) from leads l where ${byStatus}`, 5),
}

async function list(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const viewer = await signedIn(request, 'lead_list')
  if (!viewer) return void response.writeHead(401).end()
  const query = new URLSearchParams(request.url!.slice(request.url!.indexOf('?') + 1))
  const today = query.get('today')!
  const product = Number(query.get('lead_for'))
  if (!viewer.products.includes(product)) return void response.writeHead(403).end()
  const at = Number(query.get('page') ?? 1)
  const last = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate()
  const values: unknown[] = [
    product,
    query.get('fromDate') ?? `${today.slice(0, 8)}01`,
    query.get('toDate') ?? `${today.slice(0, 8)}${last}`,
  ]
  const status = query.get('status')
  if (status !== null) values.push(Number(status))
  const kind = status === null ? 'plain' : 'status'
  const client = isLean ? await pool.connect() : undefined
  const ask = (name: keyof typeof statements, last: unknown) =>
    (client ?? pool).query({ name, text: statements[name], values: [...values, last] })
  const [rows, around] = await Promise.all([
    ask(`${kind}Page`, (at - 1) * 20),
    ask(`${kind}Beside`, viewer.products),
  ]).finally(() => client?.release())
  const { total, active_products, all_tags } = around.rows[0]
  const from = (at - 1) * 20 + 1
  answer(response, {
    data: {
      leads: rows.rows,
      displayRows: rows.rows.length ? `${from}–${from + rows.rows.length - 1} of ${total}` : `0 of ${total}`,
    },
    total,
    per_page: 20,
    user_product: viewer.products,
    active_products,
    all_tags,
  })
}

const choices = `select (select json_agg(json_build_object('id', id, 'name', name)) from lead_statuses) as statuses, array(select id from lead_colors) as colors,
    array(select name from lead_services) as services, array(select name from lead_sources) as sources, array(select name from lead_cog_types) as cog_types,
    array(select id from lead_tags) as tags, array(select id from staff where banned_at is null) as staff`
const whole = `select ${columns}, l.contact_role, l.answer, l."join", l.hear_about, l.implement_date, l.reject_reason_id, l.additional_info, l.cog_types, l.reference, l.details, l.timezone,
  l.website_up, l.website_checked_at, l.website_checked_url, o.organization_id, o.name as organization_name, l.created_at, l.updated_at,
  (select s.first_name || ' ' || s.last_name from staff s where s.id = l.created_by) as created_by_name from leads l left join organizations o on o.organization_id = l.organization_id and o.deleted_at is null where l.lead_id = $1 and l.lead_for = any($2) and l.deleted_at is null`
const endpoint = 'POST /admin/users/save-demo-requests'

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const viewer = await signedIn(request, 'lead_create')
  if (!viewer) return void response.writeHead(401).end()
  let text = ''
  for await (const part of request) text += part
  const body = JSON.parse(text)
  if (!viewer.products.includes(body.lead_for)) return void response.writeHead(403).end()
  const key = request.headers['idempotency-key']
  const client = await pool.connect()
  try {
    await client.query('begin')
    const claimed = await client.query({
      name: 'claim',
      text: 'insert into idempotency_keys (staff_id, key, endpoint, request_hash) values ($1, $2, $3, $4) on conflict do nothing returning 1 as claimed',
      values: [
        viewer.staff_id,
        key,
        endpoint,
        createHash('sha256')
          .update(JSON.stringify([endpoint, body]))
          .digest(),
      ],
    })
    if (!claimed.rowCount) throw new Error('the floor repeats nothing')
    const known = (await client.query({ name: 'choices', text: choices, values: [] })).rows[0]
    if (
      !known.statuses.some((one: { id: number }) => one.id === body.status) ||
      !known.staff.includes(body.assign_to)
    )
      throw new Error('unknown')
    const inserted = await client.query({
      name: 'insert-lead',
      text: 'insert into leads (phone, email, country, lead_for, services, assign_to, status, lead_date, company_name, contact_name, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning lead_id',
      values: [
        body.phone,
        body.email,
        body.country,
        body.lead_for,
        body.services,
        body.assign_to,
        body.status,
        body.lead_date,
        body.companyName,
        body.contactName,
        viewer.staff_id,
      ],
    })
    const id = inserted.rows[0].lead_id
    await client.query({
      name: 'insert-tag',
      text: 'insert into lead_tag_links (lead_id, tag_id) values ($1, $2)',
      values: [id, body.tag_ids[0]],
    })
    const lead = (await client.query({ name: 'whole', text: whole, values: [id, viewer.products] })).rows[0]
    const changes = Object.fromEntries(Object.entries(body).map(([field, value]) => [field, [null, value]]))
    await client.query({
      name: 'audit',
      text: 'insert into audit_log (staff_id, endpoint, address, request_id, target_type, target_id, changes) values ($1, $2, $3, $4, $5, $6, $7)',
      values: [
        viewer.staff_id,
        endpoint,
        request.socket.remoteAddress,
        crypto.randomUUID(),
        'lead',
        id,
        JSON.stringify(changes),
      ],
    })
    const reply = JSON.stringify({ message: 'Lead created.', data: lead })
    await client.query({
      name: 'keep',
      text: 'update idempotency_keys set status = $1, reply = $2 where staff_id = $3 and key = $4',
      values: [200, reply, viewer.staff_id, key],
    })
    await client.query('commit')
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(reply),
      })
      .end(reply)
  } catch (error) {
    await client.query('rollback')
    response.writeHead(422).end(String(error))
  } finally {
    client.release()
  }
}

function answer(response: ServerResponse, reply: object): void {
  const text = JSON.stringify(reply)
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}

const server = createServer((request, response) => {
  const path = request.url!.split('?', 1)[0]
  const handler =
    path === '/api/admin/users/get-demo-requests'
      ? list
      : path === '/api/admin/users/save-demo-requests'
        ? create
        : undefined
  if (!handler) return void response.writeHead(404).end()
  handler(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on('SIGTERM', () => process.exit(0))
