import { MultiSelect, NativeSelect, TagsInput } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import type { StoredWebForm } from '#features/crm/leads/web-form/contract.ts'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import { listProps, type WebFormFields } from '#features/crm/leads/web-form/web/webFormValues.ts'
import { nameInChoice } from '#shared/away.contract.ts'
import { dayText } from '#shared/dates.ts'
import { keepEnter } from '#web/form/keepEnter.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  fields: WebFormFields
  stored: StoredWebForm
}

/** Who gets the leads, and their source. */
export function AssignmentPart({ fields, stored }: Props) {
  const { people, sources, next } = stored
  const chosen = fields.values.staff_ids
  const nextInTurn =
    next === null
      ? 'None of them can get leads at present, so the next lead is unassigned.'
      : `Next in turn: ${next}.`
  return (
    <section className={classes.part} aria-label="Who gets the lead">
      <h2>Who gets the lead</h2>
      <MultiSelect
        label="People in turn"
        description="One after the other. Someone who is away, deactivated, or lost the product is skipped."
        placeholder={chosen.length === 0 ? 'No one: leads are unassigned' : ''}
        {...keepEnter}
        searchable
        nothingFoundMessage="No one found."
        data={people.map((one) => ({
          value: String(one.id),
          label: one.is_present ? nameInChoice(one) : `${one.name} (no access to leads)`,
        }))}
        {...listProps(fields, 'staff_ids')}
      />
      <NativeSelect
        label="Source"
        data={[{ value: '', label: 'None' }, ...sources]}
        {...fields.getInputProps('source')}
        data-path="source"
      />
      <Soft small>
        {stored.staff_ids.length > 0 && !fields.isDirty('staff_ids') && `${nextInTurn} `}
        New leads are inbound, with the first status and a follow-up on the next working day. If an open lead
        has the same email address, it gets a note instead.
      </Soft>
    </section>
  )
}

/** The texts of the page, its address, and where it is shown. */
export const PagePart = ({ fields, stored }: Props) => (
  <section className={classes.part} aria-label="Page">
    <h2>Page</h2>
    <TextField form={fields} name="title" label="Title" required maxLength={200} />
    <LongTextField form={fields} name="intro" label="Introduction" rows={2} maxLength={2000} />
    <TextField form={fields} name="button" label="Button" required maxLength={40} />
    <LongTextField form={fields} name="thanks" label="After sending" required rows={2} maxLength={1000} />
    <TextField
      form={fields}
      name="slug"
      label="Slug"
      maxLength={60}
      description={
        stored.version === 0
          ? 'The last part of the address. If empty, it is random.'
          : 'The last part of the address. After a change, the old address no longer works; if empty, it is random.'
      }
    />
    <TagsInput
      label="Websites that can embed it"
      description="Such as www.example.com. Other websites can only link to the page."
      splitChars={[',', ' ']}
      acceptValueOnBlur
      maxTags={20}
      {...listProps(fields, 'origins')}
    />
  </section>
)

/** What visitors agree to, and what happens to spam. */
export const ConsentPart = ({ fields, stored }: Props) => (
  <section className={classes.part} aria-label="Consent and spam">
    <h2>Consent and spam</h2>
    <LongTextField
      form={fields}
      name="consent"
      label="Consent"
      rows={2}
      maxLength={2000}
      placeholder="Visitors don’t have to agree to anything"
      description={
        stored.consent_since === null
          ? 'Visitors must agree to this. Each lead keeps the text and the day. Web addresses become links.'
          : `Visitors must agree to this. Each lead keeps the text and the day. This text since ${dayText(stored.consent_since.slice(0, 10))}.`
      }
    />
    <Soft small>
      Entries with the hidden field filled in, or within 3 seconds, are held as spam. One IP address can send
      the form 5 times an hour. The page has no cookies.
    </Soft>
  </section>
)
