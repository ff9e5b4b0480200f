import type { ReactNode, RefObject } from 'react'
import { leads } from '#features/crm/leads/contract.ts'
import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { billings, demoStates, leadTypes, rejectedStatus } from '#features/crm/leads/rules.ts'
import { NewTag } from '#features/crm/leads/record/web/NewTag.tsx'
import { CustomInputs } from '#features/crm/leads/record/web/CustomInputs.tsx'
import { fieldsOfProduct } from '#features/crm/leads/record/web/customValues.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { ZoneField } from '#features/crm/leads/record/web/ZoneField.tsx'
import { useMay } from '#web/api/useSend.ts'
import { currencies, defaultCurrency } from '#shared/currencies.ts'
import { Field } from '#web/form/Field.tsx'
import { FieldPair } from '#web/form/FieldPair.tsx'
import type { Option } from '#web/form/inputs.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Toggles } from '#web/parts/Toggles.tsx'
import { useMyProducts } from '#web/session.ts'

/** Adds the current value to the options if it is no longer among them, so that saving does not lose it. */
const withCurrent = (options: readonly Option[], value: string): readonly Option[] =>
  value === '' || options.some((one) => one.value === value) ? options : [...options, { value, label: value }]
const nobody: Option = { value: '', label: '—' }
const byId = (entries: readonly { id: number; name: string }[]): Option[] =>
  entries.map(({ id, name }) => ({ value: String(id), label: name }))
const byName = (names: readonly string[]): Option[] => names.map((name) => ({ value: name, label: name }))
const ofTable = (table: object): Option[] =>
  Object.entries(table).map(([value, label]) => ({ value, label: String(label) }))

type Form = FieldsForm<typeof leadFields>

interface InputsProps {
  form: Form
  custom: readonly CustomField[]
  warning: ReactNode
  zoneRef?: RefObject<string>
}

/** The inputs of the form of a lead, in its order. */
export function LeadInputs({ form, custom, ...props }: InputsProps) {
  return (
    <>
      <ContactInputs form={form} {...props} />
      <PipelineInputs form={form} />
      <DealInputs form={form} />
      <FieldPair>
        <Field form={form} name="lead_date" required={false} />
        <Field form={form} name="followup_date" label="Follow-up date" ahead />
      </FieldPair>
      <FieldPair>
        <Field form={form} name="request_date" />
        <Field form={form} name="implement_date" />
      </FieldPair>
      <CustomInputs form={form} fields={fieldsOfProduct(custom, Number(form.fields.values.lead_for))} />
      <TagInputs form={form.fields} />
      <Field form={form} name="additional_info" />
      <Field form={form} name="answer" rows={2} />
      <Field form={form} name="join" rows={2} />
    </>
  )
}

/** Company, contact, and website. */
function ContactInputs({ form, warning, zoneRef }: Omit<InputsProps, 'custom'>) {
  return (
    <>
      <Field form={form} name="companyName" autoFocus />
      <FieldPair>
        <Field form={form} name="contactName" />
        <Field form={form} name="contact_role" />
      </FieldPair>
      <FieldPair>
        <Field form={form} name="email" />
        <Field form={form} name="phone" type="tel" />
      </FieldPair>
      {warning}
      <Field form={form} name="company_url" placeholder="https://" />
      <FieldPair>
        <Field form={form} name="country" />
        <ZoneField form={form} proposedRef={zoneRef} />
      </FieldPair>
    </>
  )
}

/** Product, status, source, and assignee. */
function PipelineInputs({ form }: { form: Form }) {
  const { statuses, colors, services, sources, staff } = useLeadOptions()
  const products = useMyProducts()
  const mayPrioritize = useMay(leads.changeColor, { query: { id: 1, color: 0 } })
  const { values } = form.fields
  const open = statuses.filter(({ id }) => id !== rejectedStatus || values.status === String(rejectedStatus))
  return (
    <>
      <FieldPair>
        <Field form={form} name="lead_for" options={byId(products)} />
        <Field
          form={form}
          name="services"
          options={withCurrent([nobody, ...byName(services)], values.services)}
        />
      </FieldPair>
      <FieldPair>
        <Field form={form} name="status" options={byId(open)} />
        <Field
          form={form}
          name="color"
          options={byId(colors)}
          disabled={!mayPrioritize}
          description={mayPrioritize ? undefined : 'Your role can’t set priorities.'}
        />
      </FieldPair>
      <FieldPair>
        <Field form={form} name="lead_type" options={ofTable(leadTypes)} />
        <Field
          form={form}
          name="hear_about"
          options={withCurrent([nobody, ...byName(sources)], values.hear_about)}
        />
      </FieldPair>
      <FieldPair>
        <Field
          form={form}
          name="assign_to"
          options={withCurrent([nobody, ...byId(staff)], values.assign_to)}
          description={
            values.assign_to !== '' && (
              <LinkButton onClick={() => form.fields.setFieldValue('assign_to', '')}>Unassign</LinkButton>
            )
          }
        />
        <Field form={form} name="demo_status" options={ofTable(demoStates)} />
      </FieldPair>
    </>
  )
}

/** Amount, billing, and expected close. */
function DealInputs({ form }: { form: Form }) {
  const { last_currency } = useLeadOptions()
  const { values } = form.fields
  const proposed = last_currency ?? defaultCurrency
  // The first amount gets the currency that was used last; an amount that is cleared takes its currency along.
  const adjustCurrency = () => {
    if (values.amount === '' || values.currency === '')
      form.fields.setFieldValue('currency', values.amount === '' ? '' : proposed)
  }
  return (
    <>
      <FieldPair>
        <div onBlur={adjustCurrency}>
          <Field form={form} name="amount" />
        </div>
        <Field
          form={form}
          name="currency"
          options={withCurrent([nobody, ...byName(currencies)], values.currency)}
        />
      </FieldPair>
      <FieldPair>
        <Field form={form} name="recurring" options={ofTable(billings)} />
        <Field form={form} name="expected_close" ahead />
      </FieldPair>
    </>
  )
}

function TagInputs({ form }: { form: Form['fields'] }) {
  const { cog_types, tags } = useLeadOptions()
  const { values } = form
  return (
    <>
      <Toggles
        label={leadFields.tag_ids.label}
        options={byId(tags)}
        chosen={values.tag_ids}
        onChange={(chosen) => form.setFieldValue('tag_ids', chosen)}
      />
      <NewTag onMade={(id) => form.setFieldValue('tag_ids', [...new Set([...values.tag_ids, String(id)])])} />
      <Toggles
        label={leadFields.cog_types.label}
        options={byName(cog_types)}
        chosen={values.cog_types}
        onChange={(chosen) => form.setFieldValue('cog_types', chosen)}
      />
    </>
  )
}
