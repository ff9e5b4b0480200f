import { sql } from 'kysely'
import { addDays, monthOf, type PlainDate } from '#shared/dates.ts'
import { productIds } from '#shared/products.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { findChoices, type Choices } from '#features/crm/leads/record/server/choices.queries.ts'
import { seedStatusChanges } from '#features/crm/leads/record/server/status-changes.seed.ts'
import type { Db } from '#server/db/db.ts'

const count = 400
const months = 12

/**
 * Seeds 400 leads from the current and the past 11 months, always identical for the same day; does nothing if
 * there are any leads. Companies and people are fictional; email addresses, websites, and phone numbers are
 * from reserved ranges (example domains, fictional numbers).
 */
export async function seedDemoLeads(db: Db, today: PlainDate): Promise<void> {
  const work = async (tx: Db) => {
    // If two processes start at the same time, only one of them seeds.
    await sql`lock table leads in share row exclusive mode`.execute(tx)
    if (await tx.selectFrom('leads').select('lead_id').limit(1).executeTakeFirst()) return
    const choices = await findChoices(tx)
    const salesPeople = await tx
      .selectFrom('staff')
      .select('id')
      .where('user_name', 'in', ['crm', 'admin', 'digital_marketing'])
      .where('banned_at', 'is', null)
      .orderBy('user_name')
      .execute()
    const staff = salesPeople.map(({ id }) => id)
    const demo = Array.from({ length: count }, (_, index) => demoLead(index, today, choices, staff))
    const leads = await tx.insertInto('leads').values(demo).returning('lead_id').execute()
    await seedStatusChanges(tx, today)
    const ids = leads.map(({ lead_id }) => lead_id)
    const tags = ids.flatMap((lead_id, index) =>
      tagsOf(index, choices.tags).map((tag_id) => ({ lead_id, tag_id })),
    )
    if (tags.length) await tx.insertInto('lead_tag_links').values(tags).execute()
    const notes = ids.flatMap((lead_id, index) =>
      turnOf(index) % 3 !== 1 || !staff.length
        ? []
        : [
            {
              record_type: 'lead',
              record_id: lead_id,
              body: at(noteTexts, turnOf(index) / 3),
              staff_id: at(staff, turnOf(index)),
              created_at: demo[index]!.updated_at,
            },
          ],
    )
    if (notes.length) await tx.insertInto('notes').values(notes).execute()
  }
  await (db.isTransaction ? work(db) : db.transaction().execute(work))
}

/**
 * Numbers the leads of a month in sequence; within a month, the index itself is constant modulo any divisor
 * of 12.
 */
const turnOf = (index: number) => Math.floor(index / months) + (index % months)

const at = <T>(list: readonly T[], index: number): T => list[Math.floor(index) % list.length]!

function demoLead(index: number, today: PlainDate, choices: Choices, staff: readonly number[]) {
  const monthsAgo = index % months
  const turn = turnOf(index)
  const lead_date = dayIn(monthsAgo, index, today)
  const status = at(
    monthsAgo < 2 ? freshStatuses : monthsAgo < 5 ? warmStatuses : oldStatuses,
    index / months,
  )
  const isInbound = turn % 3 !== 0
  const name = `${at(firstNames, index * 7)} ${at(lastNames, index * 11 + index / 40)}`
  const company = companyName(index)
  const domain = `${asciiOf(company)}.example`
  const country = at(countries, index + index / 10)
  // The hour of today's leads comes from the database's clock.
  const entered =
    lead_date === today
      ? undefined
      : `${lead_date}T${String(8 + (index % 9)).padStart(2, '0')}:${String((index * 17) % 60).padStart(2, '0')}:00Z`
  const closed = addDays(lead_date, 5 + (index % 30))
  return {
    company_name: company,
    contact_name: index % 17 === 16 ? '' : name,
    email: index % 13 === 12 ? '' : `${asciiOf(name).replaceAll('-', '.')}@${domain}`,
    phone: country.phone.replace('NN', String(10 + (index % 90))),
    country: country.name,
    company_url: index % 5 === 4 ? '' : `https://www.${domain}`,
    lead_for: at(productIds, turn),
    services: choices.services.length ? at(choices.services, index * 3 + index / 8) : null,
    hear_about: choices.sources.length ? at(choices.sources, index + index / 10) : null,
    cog_types:
      choices.cog_types.length && turn % 2
        ? [at(choices.cog_types, turn), at(choices.cog_types, turn + 3)]
        : [],
    answer: isInbound ? at(answers, turn) : '',
    join: turn % 4 === 1 ? at(joins, turn / 4) : '',
    additional_info: turn % 6 === 2 ? at(remarks, turn / 6) : '',
    lead_type: isInbound ? 2 : 1,
    color: at([0, 2, 0, 3, 1, 0, 4, 2, 1, 3], turn),
    status,
    ...dealOf(index, status, country.currency, closed, today),
    reject_msg: status === rejectedStatus ? at(rejections, turn) : null,
    demo_status: demoStatusOf[status] ?? 0,
    assign_to: staff.length && (status > 1 || turn % 2) && index % 7 !== 6 ? at(staff, turn) : null,
    created_by: staff.length && !isInbound ? at(staff, turn) : null,
    lead_date,
    request_date: isInbound ? addDays(lead_date, -(turn % 4)) : null,
    followup_date:
      status > 1 && status < 7 && index % 9 !== 8
        ? addDays(today, ((index * 5 + Math.floor(index / months)) % 22) - 7)
        : null,
    implement_date: status === 6 || status === 7 ? addDays(lead_date, 60 + (index % 45)) : null,
    created_at: entered,
    updated_at: entered,
    status_at: status > 1 && closed < today ? `${closed}T14:00:00Z` : null,
  }
}

/**
 * Returns a day in the month `monthsAgo` months before today's; in the current month, never a day after
 * today.
 */
function dayIn(monthsAgo: number, index: number, today: PlainDate): PlainDate {
  let first = monthOf(today).first
  for (let back = 0; back < monthsAgo; back += 1) first = monthOf(addDays(first, -1)).first
  const lastDay = Number((monthsAgo === 0 ? today : monthOf(first).last).slice(8))
  return addDays(first, (Math.floor(index / months) * 7 + index) % lastDay)
}

/** Returns what a lead is worth: nothing for a part of the new leads, and in the currency of its country. */
function dealOf(index: number, status: number, currency: string, closed: PlainDate, today: PlainDate) {
  if (status === 1 && index % 3 !== 0) return {}
  const turn = turnOf(index)
  const isOpen = status < 7
  return {
    amount: 2400 + ((index * 37) % 64) * 750,
    currency,
    recurring: at(['yearly', 'once', 'yearly', 'monthly'], turn),
    expected_close: isOpen ? addDays(today, 10 + ((index * 13) % 110)) : closed < today ? closed : today,
    reject_reason_id: status === rejectedStatus ? at(reasonsOfRejections, turn) : null,
  }
}

/** Combines 40 names with 10 industries each, so that no company name repeats. */
const companyName = (index: number) =>
  `${at(places, index)} ${at(trades, index + Math.floor(index / places.length))}`

const tagsOf = (index: number, tags: readonly number[]) =>
  tags.length
    ? [...new Set(Array.from({ length: turnOf(index) % 4 }, (_, which) => at(tags, index * 3 + which * 4)))]
    : []

/** Returns a name in the form used in an email address or URL. */
const asciiOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ø]/g, 'o')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')

// Recent leads are new or were just contacted, and most old ones are won or lost; the first two months also
// contain every status.
const freshStatuses = [1, 1, 2, 3, 1, 4, 2, 1, 5, 6, 2, 1, 3, 8, 1, 7, 4]
const warmStatuses = [2, 3, 4, 5, 6, 7, 3, 8, 5, 2, 6, 7]
const oldStatuses = [7, 8, 7, 6, 8, 3, 7, 5, 8, 7, 2]
const demoStatusOf: Partial<Record<number, number>> = { 3: 1, 4: 2, 5: 3, 6: 3, 7: 3 }

const places = [
  'Halvoren', 'Brackwater', 'Lindholt', 'Solmere', 'Verrano', 'Quillstone', 'Tamsel', 'Ardenbrook', 'Morvale', 'Kestrel Bay',
  'Fennimore', 'Alderwick', 'Oakmere', 'Zelmont', 'Pellworth', 'Castrova', 'Dunmarrow', 'Ettelgate', 'Figueral', 'Grelling',
  'Hartsmoor', 'Ilvesta', 'Jorvale', 'Kaldemar', 'Lunaro', 'Mirabay', 'Nethercombe', 'Orsino Park', 'Pinewald', 'Quarrendon',
  'Rosevale', 'Silverholm', 'Thornmere', 'Umberfield', 'Vallarosa', 'Westermark', 'Yarrowby', 'Zandhoek', 'Brightmoor', 'Côte Perle',
] // prettier-ignore
const trades = [
  'Hospital',
  'Hotel',
  'Laundry',
  'Care Home',
  'Spa & Resort',
  'Clinic',
  'Restaurant Group',
  'Linen Service',
  'Senior Living',
  'Uniforms',
]

const firstNames = [
  'Amara',
  'Søren',
  'Beatriz',
  'Callum',
  'Dilara',
  'Emeka',
  'Freya',
  'Gaël',
  'Hana',
  'Ivo',
  'Jolana',
  'Kofi',
  'Lena',
  'Mateo',
  'Nadine',
  'Oskar',
  'Petra',
  'Quentin',
  'Rosa',
  'Stellan',
  'Tariq',
  'Una',
  'Vera',
  'Wim',
  'Ximena',
  'Yusuf',
  'Zoë',
]
const lastNames = [
  'Achterberg',
  'Baldacchio',
  'Corrigan',
  'Dalgaard',
  'Espinal',
  'Farrow',
  'Gunnarsen',
  'Hollis',
  'Ibarra',
  'Jankov',
  'Kaminer',
  'Lovell',
  'Marchetti',
  'Nwosu',
  'Oyelaran',
  'Pettersson',
  'Quiñones',
  'Rask',
  'Sundqvist',
  'Tremblay',
  'Ueda',
  'Valcke',
  'Wrobel',
  'Xuereb',
  'Yıldız',
  'Zeman',
  'Østby',
  'Albrecht',
  'Brannigan',
]

const countries = [
  { name: 'United States', phone: '+1 202 555 01NN', currency: 'USD' },
  { name: 'United Kingdom', phone: '+44 1632 9600NN', currency: 'GBP' },
  { name: 'Germany', phone: '+49 30 231250NN', currency: 'EUR' },
  { name: 'Canada', phone: '+1 416 555 01NN', currency: 'CAD' },
  { name: 'France', phone: '+33 1 99 00 12 NN', currency: 'EUR' },
  { name: 'Ireland', phone: '+353 20 910 01NN', currency: 'EUR' },
  { name: 'Australia', phone: '+61 2 5550 10NN', currency: 'AUD' },
  { name: 'Norway', phone: '', currency: 'NOK' },
  { name: 'Spain', phone: '', currency: 'EUR' },
]

const answers = [
  'We’re looking for software to keep track of our linen.',
  'Our current system is being shut down next year.',
  'A colleague recommended you.',
  'We saw your webinar and would like a demo.',
  'How does pricing work for multiple locations?',
]
const joins = ['Within a month', 'This quarter', 'Next year', 'Not decided yet']
const remarks = [
  'Three locations, one in-house laundry.',
  'About 1,200 beds. They want RFID from day one.',
  'Needs sign-off from purchasing.',
  'Prefers email.',
  'Interested in “green” washing & fewer trips.',
]
/** The reason of each text in `rejections`. */
const reasonsOfRejections = [3, 2, 6, 4]
const rejections = [
  'No budget this year.',
  'Went with another vendor.',
  'Too small for us.',
  'Stopped responding.',
]
const noteTexts = [
  'Called. The manager is back on Monday.',
  'Sent the brochure and two customer references.',
  'Wants to see the inventory report in the demo.',
  'Asked for the contract in German.',
  'Demo went well. Still need to answer their question about ERP integration.',
  'Left a voicemail.',
]
