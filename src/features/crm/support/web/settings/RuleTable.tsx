import { Suspense } from 'react'
import { TextInput } from '@mantine/core'
import { nameInChoice } from '#shared/away.contract.ts'
import { mostRules, type StoredRules } from '#features/crm/support/assignment-rules.contract.ts'
import {
  newRule,
  type RuleInput,
  type RuleValues,
} from '#features/crm/support/web/settings/assignmentForm.ts'
import { CriteriaCells, FittingRows, RowButtons } from '#features/crm/support/web/settings/FittingRows.tsx'
import classes from '#features/crm/support/web/settings/settings.module.css'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const SeveralSelect = lazyPart(() => import('#web/form/SeveralSelect.tsx'))

interface Props {
  form: DraftForm<RuleValues>
  people: StoredRules['people']
}

/** The rules in their order; a row has the tickets that it is for, and the people who get them. */
export function RuleTable({ form: { fields }, people }: Props) {
  const { rules } = fields.getValues()
  return (
    <FittingRows
      id="rules"
      title="Rules"
      about="The first row that fits a new ticket applies. Its people take turns; those who can’t open the ticket are skipped."
      empty={<p>No rules yet. New tickets stay unassigned. Add the first rule.</p>}
      heads={['Category', 'Organization', 'Assign to']}
      rows={rules.map((rule, index) => (
        <RuleLine key={index} fields={fields} people={people} rule={rule} index={index} />
      ))}
      add="Add rule"
      mostRows={mostRules}
      onAdd={() => fields.insertListItem('rules', newRule)}
    />
  )
}

interface LineProps {
  fields: Props['form']['fields']
  people: Props['people']
  rule: RuleInput
  index: number
}

function RuleLine({ fields, people, rule, index }: LineProps) {
  const at = (field: string) => {
    const path = `rules.${index}.${field}`
    return { ...fields.getInputProps(path), 'data-path': path }
  }
  const label = `People of rule ${index + 1}`
  return (
    <tr>
      <CriteriaCells at={at} organization={rule.organization_id} ofRow={`of rule ${index + 1}`} />
      <td className={classes.people}>
        <Suspense fallback={<TextInput aria-label={label} disabled />}>
          <SeveralSelect
            aria-label={label}
            {...(rule.staff_ids.length === 0 && { placeholder: 'Type to search' })}
            nothingFoundMessage="No admin users found."
            data={people.map((person) => ({
              value: String(person.id),
              label: person.is_present ? nameInChoice(person) : `${person.name} (not available)`,
            }))}
            {...at('staff_ids')}
          />
        </Suspense>
      </td>
      <td>
        <RowButtons
          name={`rule ${index + 1}`}
          isFirst={index === 0}
          onUp={() => fields.reorderListItem('rules', { from: index, to: index - 1 })}
          onRemove={() => fields.removeListItem('rules', index)}
        />
      </td>
    </tr>
  )
}
