import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import {
  importTargets,
  type ColumnTarget,
  type ImportTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import type { Field } from '#shared/field.ts'

/*
 * Header names for each field in English and German, without spaces and punctuation. The first match in a list wins, and `name` is
 * the company if no other column is. Ambiguous headers such as "Date added" (to which list?) become details,
 * so that nothing is lost or misinterpreted.
 */
const headersOf: [ImportTarget, readonly string[]][] = [
  [
    'companyName',
    [
      'companyname',
      'company',
      'organisation',
      'organization',
      'organisationname',
      'organizationname',
      'accountname',
      'account',
      'business',
      'businessname',
      'firm',
      'security',
      'firma',
      'firmenname',
      'unternehmen',
      'name',
    ],
  ],
  [
    'contactName',
    ['contactname', 'contact', 'contactperson', 'person', 'fullname', 'ansprechpartner', 'kontakt', 'name'],
  ],
  ['first_name', ['firstname', 'givenname', 'contactfirstname', 'vorname']],
  ['last_name', ['lastname', 'surname', 'familyname', 'contactlastname', 'nachname', 'familienname']],
  ['contact_role', ['contactrole', 'jobtitle', 'role', 'funktion', 'position']],
  ['email', ['email', 'emailaddress', 'mail', 'contactemail', 'emailadresse', 'mailadresse']],
  [
    'phone',
    [
      'phone',
      'phonenumber',
      'telephone',
      'telephonenumber',
      'tel',
      'mobile',
      'contactphone',
      'telefon',
      'telefonnummer',
      'mobil',
      'handy',
    ],
  ],
  ['contact2_name', ['contact2', 'contact2name', 'secondcontact', 'secondcontactname', 'contactname2']],
  ['contact2_role', ['contact2role', 'secondcontactrole', 'role2']],
  ['contact2_email', ['contact2email', 'secondcontactemail', 'email2', 'secondemail']],
  ['contact2_phone', ['contact2phone', 'secondcontactphone', 'phone2', 'secondphone']],
  ['country', ['country', 'countryname', 'land']],
  ['timezone', ['timezone', 'zeitzone']],
  [
    'company_url',
    [
      'companyurl',
      'website',
      'web',
      'url',
      'homepage',
      'webaddress',
      'companywebsite',
      'webseite',
      'internetseite',
      'internet',
    ],
  ],
  [
    'reference',
    [
      'reference',
      'ref',
      'key',
      'symbol',
      'ticker',
      'externalid',
      'accountid',
      'customerid',
      'leadid',
      'kundennummer',
      'referenz',
      'id',
    ],
  ],
  ['lead_date', ['leaddate']],
  ['request_date', ['requestdate', 'requested', 'requestedon']],
  ['followup_date', ['followupdate', 'followup', 'nextcontact', 'wiedervorlage']],
  ['services', ['services', 'service']],
  ['hear_about', ['hearabout', 'source', 'leadsource', 'quelle', 'herkunft']],
  [
    'additional_info',
    [
      'additionalinfo',
      'additionalinformation',
      'notes',
      'note',
      'comments',
      'comment',
      'remarks',
      'remark',
      'notiz',
      'notizen',
      'bemerkung',
      'bemerkungen',
      'kommentar',
    ],
  ],
  ['answer', ['answer']],
  ['join', ['join']],
  ['status', ['leadstatus', 'status']],
  ['color', ['priority', 'leadpriority', 'priorität']],
  [
    'assign_to',
    [
      'assignee',
      'assignedto',
      'leadowner',
      'companyowner',
      'accountowner',
      'dealowner',
      'contactowner',
      'owner',
      'zuständig',
      'bearbeiter',
      'betreuer',
      'verantwortlich',
      'salesrep',
    ],
  ],
  ['tag_ids', ['tags', 'labels', 'schlagwörter', 'schlagworte']],
  ['lead_type', ['leadtype']],
  ['implement_date', ['implementationdate', 'implementdate']],
  ['amount', ['amount', 'dealamount', 'dealvalue', 'value', 'betrag', 'auftragswert']],
  ['currency', ['currency', 'dealcurrency', 'currencycode', 'währung']],
  ['recurring', ['billing', 'recurring', 'billingperiod']],
  ['expected_close', ['expectedclose', 'expectedclosedate', 'closedate', 'abschlussdatum']],
]
/** Columns that the panel adds to its file of failed rows. */
const ownColumns = ['line', 'reason']

const plainOf = (header: string) =>
  header
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
/** Headers of the panel's own export of leads, with their fields. */
const exported = new Map<string, ColumnTarget>(
  Object.entries<Field>(leadFields).flatMap(([name, { label, csv }]) =>
    csv ? [[plainOf(csv === true ? label : csv), exportTarget(name)] as const] : [],
  ),
)

/** Returns what a field of an export is in an import; the import doesn't set some of them. */
function exportTarget(field: string): ColumnTarget {
  if (field === 'lead_id') return 'number'
  return field in importTargets ? (field as ImportTarget) : 'skip'
}

/**
 * Guesses the targets of a file's columns from their headers. A header that is the name of a custom field of the
 * product, and no lead field, is that field. Each field is used at most once; all other
 * columns become details, except in the panel's own export: its numbers identify the leads, and the columns that the
 * import doesn't set, such as the product, are left out. An unchanged export must change nothing.
 */
export function guessColumns(
  headers: readonly string[],
  customFields: readonly CustomField[] = [],
): ColumnTarget[] {
  const plain = headers.map(plainOf)
  const isFailedFile = ownColumns.every((name, index) => plain[plain.length - 2 + index] === name)
  const columns: ColumnTarget[] = plain.map((_, index) =>
    isFailedFile && index >= plain.length - 2 ? 'skip' : 'detail',
  )
  for (const [target, names] of headersOf) {
    const index = names
      .map((name) => plain.findIndex((header, at) => header === name && columns[at] === 'detail'))
      .find((at) => at !== -1)
    // A file with whole names can also have their parts.
    const isPart = target === 'first_name' || target === 'last_name'
    if (index !== undefined && !(isPart && columns.includes('contactName'))) columns[index] = target
  }
  for (const { id, name } of customFields) {
    const index = plain.findIndex((header, at) => header === plainOf(name) && columns[at] === 'detail')
    if (index !== -1 && !exported.has(plain[index]!)) columns[index] = `custom_${id}`
  }
  if (!isExport(plain)) return columns
  return columns.map((target, at) => (target === 'detail' ? (exported.get(plain[at]!) ?? target) : target))
}

/** Returns whether a file is the panel's export, perhaps with a few columns removed or added. */
const isExport = (headers: readonly string[]): boolean =>
  [...exported.keys()].filter((header) => headers.includes(header)).length > exported.size * 0.6
