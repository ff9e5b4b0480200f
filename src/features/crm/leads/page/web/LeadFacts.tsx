import { EmailAddress } from '#web/mail/EmailAddress.tsx'
import { dayText } from '#shared/dates.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { CustomFacts } from '#features/crm/leads/page/web/CustomFacts.tsx'
import { LeadContacts } from '#features/crm/leads/contacts/web/LeadContacts.tsx'
import { leadFields } from '#features/crm/leads/fields.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { dealOf } from '#features/crm/leads/record/web/leadAmounts.ts'
import { TagsCell } from '#features/crm/leads/record/web/TagsCell.tsx'
import { useEditLead } from '#features/crm/leads/record/web/useEditLead.ts'
import { Website } from '#features/crm/leads/record/web/Website.tsx'
import { WebsiteCheck } from '#features/crm/leads/website/web/WebsiteCheck.tsx'
import classes from '#features/crm/leads/page/web/lead.module.css'
import { currencies } from '#shared/currencies.ts'
import { amountText } from '#shared/money.ts'
import { offeredZones } from '#shared/zones.ts'
import { LocalTime } from '#web/LocalTime.tsx'
import { Moment } from '#web/Moment.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Facts } from '#web/record/Facts.tsx'
import { useMyProducts } from '#web/session.ts'
import { LastAct } from '#web/record/LastAct.tsx'

/** A lead's facts, in groups. Some can be edited in place, the rest in the form. */
export function LeadFacts({ lead }: { lead: Lead }) {
  const edit = useEditLead(lead)
  return (
    <>
      {lead.reject_msg && <Rejection lead={lead} />}
      <DealFacts lead={lead} edit={edit} />
      <ContactFacts lead={lead} edit={edit} />
      <LeadContacts lead={lead} />
      <InterestFacts lead={lead} edit={edit} />
      <CustomFacts lead={lead} />
      <Facts
        title="Details"
        facts={[
          { name: leadFields.lead_date.label, value: dayOf(lead.lead_date) },
          {
            name: leadFields.request_date.label,
            value: dayOf(lead.request_date),
            edit: edit('request_date', 'day'),
          },
          {
            name: leadFields.implement_date.label,
            value: dayOf(lead.implement_date),
            edit: edit('implement_date', 'day'),
          },
          { name: leadFields.reference.label, value: lead.reference },
          { name: leadFields.answer.label, value: lead.answer },
          { name: leadFields.join.label, value: lead.join },
          {
            name: leadFields.additional_info.label,
            value: lead.additional_info,
            edit: edit('additional_info'),
          },
          {
            name: 'Created',
            value: (
              <>
                <Moment at={lead.created_at} />
                {lead.created_by_name && ` by ${lead.created_by_name}`}
              </>
            ),
          },
        ]}
      />
      {lead.details.length > 0 && (
        <Facts
          title="Imported details"
          facts={lead.details.map(({ label, value }) => ({ name: label, value }))}
        />
      )}
      <div className={classes.lastAct}>
        <LastAct />
      </div>
    </>
  )
}

/** Why the lead was rejected: the reason from the list, if one was chosen, and the words. */
function Rejection({ lead }: { lead: Lead }) {
  const { reject_reasons } = useLeadOptions()
  const reason = lead.reject_reason_id !== null && entryById(reject_reasons, lead.reject_reason_id).name
  return (
    <section aria-label="Rejection">
      <p className={classes.rejection}>
        Rejected: {reason && <strong>{reason}. </strong>}
        {lead.reject_msg}
      </p>
    </section>
  )
}

const dayOf = (value: string | null) => (value ? dayText(value) : '')

type Edit = ReturnType<typeof useEditLead>

const named = (names: readonly string[], now: string | null) =>
  [
    ['', '—'] as const,
    ...[...new Set([...names, ...(now ? [now] : [])])].map((name) => [name, name] as const),
  ] as const

function ContactFacts({ lead, edit }: { lead: Lead; edit: Edit }) {
  return (
    <Facts
      title="Contact"
      facts={[
        { name: leadFields.contactName.label, value: lead.contactName, edit: edit('contactName') },
        { name: 'Role', value: lead.contact_role, edit: edit('contact_role') },
        {
          name: leadFields.email.label,
          value: lead.email && <EmailAddress address={lead.email} />,
          isLink: true,
          edit: edit('email'),
        },
        {
          name: leadFields.phone.label,
          value: lead.phone && <PhoneLink number={lead.phone} />,
          isLink: true,
          edit: edit('phone'),
        },
        { name: leadFields.country.label, value: lead.country, edit: edit('country') },
        {
          name: leadFields.company_url.label,
          value: lead.company_url && (
            <span className={classes.website}>
              <Website address={lead.company_url} />
              <WebsiteCheck lead={lead} />
            </span>
          ),
          isLink: true,
          edit: edit('company_url'),
        },
        {
          name: leadFields.timezone.label,
          value: lead.timezone,
          edit: edit('timezone', 'choice', named(offeredZones, lead.timezone).slice(1)),
        },
        { name: 'Local time', value: <LocalTime zone={lead.timezone} /> },
      ]}
    />
  )
}

/** The value of the lead; the currency is edited once there is an amount. */
function DealFacts({ lead, edit }: { lead: Lead; edit: Edit }) {
  const { statuses } = useLeadOptions()
  const probability = statuses.find(({ id }) => id === lead.status)?.probability
  const { amount, currency } = lead
  const hasAmount = amount !== null && currency !== null
  return (
    <Facts
      title="Deal"
      facts={[
        { name: leadFields.amount.label, value: dealOf(lead), edit: edit('amount') },
        {
          name: leadFields.currency.label,
          value: currency,
          edit: hasAmount ? edit('currency', 'choice', named(currencies, currency).slice(1)) : undefined,
        },
        {
          name: leadFields.recurring.label,
          value: hasAmount ? billings[lead.recurring as 'once'] : null,
          edit: edit('recurring', 'choice', Object.entries(billings)),
        },
        {
          name: leadFields.expected_close.label,
          value: dayOf(lead.expected_close),
          edit: edit('expected_close', 'day'),
        },
        {
          name: 'Weighted',
          value:
            hasAmount && probability !== undefined
              ? `${amountText(Math.round(amount * probability) / 100, currency)} (${probability}%)`
              : null,
        },
      ]}
    />
  )
}

function InterestFacts({ lead, edit }: { lead: Lead; edit: Edit }) {
  const products = useMyProducts()
  const { services, sources } = useLeadOptions()
  return (
    <Facts
      title="Interest"
      facts={[
        {
          name: leadFields.lead_for.label,
          value: products.find(({ id }) => id === lead.lead_for)?.name ?? `#${lead.lead_for}`,
        },
        {
          name: leadFields.services.label,
          value: lead.services,
          edit: edit('services', 'choice', named(services, lead.services)),
        },
        { name: leadFields.lead_type.label, value: leadTypes[lead.lead_type as 1] },
        {
          name: leadFields.hear_about.label,
          value: lead.hear_about,
          edit: edit('hear_about', 'choice', named(sources, lead.hear_about)),
        },
        { name: leadFields.demo_status.label, value: demoStates[lead.demo_status as 0] },
        {
          name: leadFields.tag_ids.label,
          value: lead.tag_ids.length > 0 && <TagsCell lead={lead} />,
        },
        { name: leadFields.cog_types.label, value: lead.cog_types.join(', ') },
      ]}
    />
  )
}
