import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { findMailRules, isAllowedDomain } from '#server/mail/rules.ts'
import type { Settings } from '#server/settings/settings.ts'

/** What an email has from its sender. */
export interface Sender {
  /** Name in the From header; empty for the name in MAIL_FROM. */
  name: string
  /** Address in the From header; empty for the address in MAIL_FROM. */
  address: string
  /** Name of the product, or of whom else the email is from. */
  product: string
  /** Shown above the content: the product or, without one, the name of all other emails; can be empty. */
  heading: string
  color: string
  footer: string
  signature: string
}

interface About {
  product_id?: number | undefined
  staff_id?: number | undefined
  unsubscribable?: boolean | undefined
}

export const defaultColor = '#0f766e'
export const defaultSignature = 'Kind regards,\n{{my_name}}'

/**
 * Returns the sender of an email. A person's name has the company's address or, if the email isn't a mailing,
 * their own one, once it is confirmed and while its domain is allowed.
 */
export async function findSender(
  db: Db,
  settings: Pick<Settings, 'provider'>,
  { product_id, staff_id, unsubscribable = false }: About,
): Promise<Sender> {
  const { rows } = await sql<{
    product: string | null
    name: string | null
    address: string | null
    color: string | null
    footer: string | null
    signature: string | null
    person: string | null
    own: string | null
  }>`
    select p.name as product, coalesce(nullif(s.name, ''), nullif(d.name, ''), p.name) as name,
      coalesce(nullif(s.address, ''), d.address)::text as address, coalesce(s.color, d.color) as color,
      coalesce(nullif(s.footer, ''), d.footer) as footer, coalesce(nullif(s.signature, ''), nullif(d.signature, '')) as signature,
      left(regexp_replace(w.name, '[[:cntrl:]]', '', 'g'), 200) as person,
      (select o.address::text from own_addresses o where o.staff_id = w.id and o.confirmed_at is not null) as own
    from (select) one
      left join products p on p.id = ${product_id ?? null}::int
      left join senders s on s.product_id = p.id
      left join senders d on d.product_id is null
      left join staff w on w.id = ${staff_id ?? null}::int`.execute(db)
  const { product, name, address, color, footer, signature, person, own } = rows[0]!
  const isOwn = own !== null && !unsubscribable && isAllowedDomain(own, (await findMailRules(db)).own_domains)
  return {
    name: person ?? name ?? '',
    address: isOwn ? own : (address ?? ''),
    product: product ?? (name || settings.provider),
    // Not the panel's name, which customers don't know.
    heading: product ?? name ?? '',
    color: color ?? defaultColor,
    footer: footer ?? '',
    signature: (signature ?? defaultSignature).replaceAll('{{my_name}}', () => person ?? name ?? ''),
  }
}
