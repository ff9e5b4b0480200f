import { Suspense, type ComponentProps } from 'react'
import { Checkbox, NativeSelect, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import { nameInChoice } from '#shared/away.contract.ts'
import type { RulePerson } from '#features/crm/support/assignment-rules.contract.ts'
import { countedDays } from '#features/crm/support/ticket-rules.contract.ts'
import { ticketPriorities } from '#features/crm/support/rules.ts'
import { RowButtons } from '#features/crm/support/web/settings/FittingRows.tsx'
import classes from '#features/crm/support/web/settings/settings.module.css'
import type { TicketRuleInput, TicketRuleValues } from '#features/crm/support/web/settings/ticketRuleForm.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SeveralSelect = lazyPart(() => import('#web/form/SeveralSelect.tsx'))
const WordsInput = lazyPart(() => import('#features/crm/support/web/settings/WordsInput.tsx'))

const anyOrganization = [{ value: '', label: 'Any' }]

interface Props {
  fields: DraftForm<TicketRuleValues>['fields']
  rule: TicketRuleInput
  index: number
  /** The choices of an assignee. */
  people: readonly RulePerson[]
  /** How many tickets it fitted lately; undefined for a new rule. */
  matched: number | undefined
}

type At = (field: keyof TicketRuleInput) => ReturnType<Props['fields']['getInputProps']>

/** A rule: which tickets it is for, and what it changes. */
export function TicketRuleCard({ fields, rule, index, people, matched }: Props) {
  const name = `rule ${index + 1}`
  const at: At = (field) => {
    const path = `rules.${index}.${field}`
    // The error of one entry of a list is shown at the list.
    const nested = Object.entries(fields.errors).find(([key]) => key.startsWith(`${path}.`))?.[1]
    const props = fields.getInputProps(path)
    return { ...props, error: props.error ?? nested, 'data-path': path }
  }
  const { value: _, ...on } = at('is_on')
  return (
    <section className={classes.card} aria-label={`Rule ${index + 1}`}>
      <div className={classes.ruleHead}>
        <h2>Rule {index + 1}</h2>
        {matched !== undefined && (
          <Soft as="span" small>
            {`${matched === 1 ? '1 ticket' : `${matched.toLocaleString('en-US')} tickets`} in ${countedDays} days`}
          </Soft>
        )}
        <Switch
          className={classes.ruleSwitch}
          size="xs"
          label={rule.is_on ? 'On' : 'Off'}
          aria-label={`Rule ${index + 1} on`}
          {...on}
          checked={rule.is_on}
        />
        <RowButtons
          name={name}
          isFirst={index === 0}
          onUp={() => fields.reorderListItem('rules', { from: index, to: index - 1 })}
          onRemove={() => fields.removeListItem('rules', index)}
        />
      </div>
      <Criteria at={at} rule={rule} />
      <Changes at={at} rule={rule} people={people} />
    </section>
  )
}

function Criteria({ at, rule }: { at: At; rule: TicketRuleInput }) {
  const { ticket_categories } = useLists('ticket_categories')
  return (
    <fieldset className={classes.rulePart}>
      <legend>When a new ticket has</legend>
      <NativeSelect
        label="Words in"
        data={[
          { value: '', label: 'Subject' },
          { value: '1', label: 'Subject or message' },
        ]}
        {...at('in_message')}
      />
      <Entries label="One of these words" placeholder="Any words" maxLength={100} {...at('words')} />
      <Entries
        label="One of these senders"
        placeholder="Addresses or domains"
        maxLength={254}
        {...at('senders')}
      />
      <NativeSelect label="Category" data={asChoices(ticket_categories, 'Any')} {...at('category')} />
      <OrganizationChoice
        label="Organization"
        fixed={anyOrganization}
        {...at('organization_id')}
        value={rule.organization_id}
      />
    </fieldset>
  )
}

const Entries = (props: ComponentProps<typeof WordsInput>) => (
  <Suspense fallback={<TextInput label={props.label} disabled />}>
    <WordsInput {...props} />
  </Suspense>
)

const asChoice = (person: RulePerson) => ({
  id: person.id,
  name: person.is_present ? nameInChoice(person) : `${person.name} (not available)`,
})

interface ChangesProps {
  at: At
  rule: TicketRuleInput
  people: Props['people']
}

function Changes({ at, rule, people }: ChangesProps) {
  const { ticket_categories, ticket_tags } = useLists('ticket_categories', 'ticket_tags')
  const { value: _, ...spam } = at('mark_spam')
  const tags = ticket_tags.map(({ id, name }) => ({ value: String(id), label: name }))
  const lost = people.find(({ id, is_present }) => String(id) === rule.new_assignee_id && !is_present)
  return (
    <fieldset className={classes.rulePart}>
      <legend>Then change</legend>
      <NativeSelect
        label="New category"
        data={asChoices(ticket_categories, 'No change')}
        {...at('new_category')}
      />
      <NativeSelect
        label="New priority"
        data={asChoices(ticketPriorities, 'No change')}
        {...at('new_priority')}
      />
      <NativeSelect
        label="New assignee"
        data={asChoices(people.map(asChoice), 'No change')}
        description={
          lost &&
          `${lost.name} was deactivated or can’t open tickets. Until you choose someone else, assignment rules apply.`
        }
        {...at('new_assignee_id')}
      />
      <Suspense fallback={<TextInput label="Added tags" disabled />}>
        <SeveralSelect
          label="Added tags"
          placeholder="Type to search"
          nothingFoundMessage="No tags found."
          data={tags}
          {...at('tag_ids')}
        />
      </Suspense>
      <Checkbox
        label="Mark as spam"
        description="Only tickets that an email opened."
        {...spam}
        checked={rule.mark_spam}
      />
    </fieldset>
  )
}
