import { leads, type Lead } from '#features/crm/leads/contract.ts'
import { customValueText, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { Website } from '#features/crm/leads/record/web/Website.tsx'
import { fieldsOfProduct, valueInForm } from '#features/crm/leads/record/web/customValues.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { Facts } from '#web/record/Facts.tsx'
import type { EditInPlace, Fact } from '#web/record/InPlace.tsx'
import { useUndo } from '#web/record/useUndo.ts'

/** The custom fields of a lead’s product. Several choices are edited in the form, as tags are. */
export function CustomFacts({ lead }: { lead: Lead }) {
  const fields = fieldsOfProduct(useLeadOptions().custom_fields, lead.lead_for)
  const edit = useEditValue(lead)
  if (fields.length === 0) return null
  return (
    <Facts
      title="Custom fields"
      facts={fields.map((field): Fact => {
        const value = lead.custom_values[field.id]
        const isLink = field.type === 'link' && value !== undefined
        return {
          name: field.name,
          value:
            value === undefined ? null : isLink ? (
              <Website address={String(value)} />
            ) : (
              customValueText(field, value)
            ),
          isLink,
          edit: edit(field),
        }
      })}
    />
  )
}

const kinds: Readonly<Record<Exclude<CustomField['type'], 'choices'>, EditInPlace['kind']>> = {
  text: 'text',
  link: 'text',
  number: 'text',
  date: 'day',
  choice: 'choice',
  yes_no: 'choice',
}

/** Returns the function that makes a field editable in place, for viewers who can edit the lead. */
function useEditValue({ lead_id, lead_for, version, custom_values }: Lead) {
  const mayEdit = useMay(leads.update, { body: { lead_id, lead_for } })
  const { keep } = useUndo()
  const { send } = useSend(leads.update, {
    failure: 'throw',
    onDone: ({ message, operation }) => {
      keep(operation)
      toast.success(message)
    },
  })
  return (field: CustomField): EditInPlace | undefined => {
    const { id, type } = field
    if (!mayEdit || type === 'choices') return undefined
    const seen = custom_values[id]
    return {
      kind: kinds[type],
      value: String(valueInForm(field, seen)),
      ...(kinds[type] === 'choice' ? { options: optionsOf(field, seen) } : {}),
      save: (typed, newer = version) =>
        send({
          body: {
            lead_id,
            version: newer,
            base: { custom_values: { [id]: seen ?? null } },
            custom_values: { [id]: typed === '' ? null : typed },
          },
        }),
    }
  }
}

const optionsOf = ({ type, choices }: CustomField, seen: unknown): NonNullable<EditInPlace['options']> => [
  ['', '—'],
  ...(type === 'yes_no'
    ? ([
        ['yes', 'Yes'],
        ['no', 'No'],
      ] as const)
    : choices
        .filter((one) => !one.is_removed || one.id === seen)
        .map((one) => [String(one.id), one.name] as const)),
]
