import { NativeSelect, TextInput } from '@mantine/core'
import { clockKinds, ticketPriorities } from '#features/crm/support/rules.ts'
import { mostTargets } from '#features/crm/support/targets.contract.ts'
import { CriteriaCells, FittingRows, RowButtons } from '#features/crm/support/web/settings/FittingRows.tsx'
import { newTarget, timeFields, type Values } from '#features/crm/support/web/settings/targetForm.ts'
import { asChoices } from '#web/filter/useOptions.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'

interface Props {
  form: DraftForm<Values>
}

/** The targets in their order; a row has the tickets that it is for, and its times. */
export function TargetTable({ form: { fields } }: Props) {
  const { targets } = fields.getValues()
  return (
    <FittingRows
      id="targets"
      title="Targets"
      about="The first row that fits a ticket applies. Times are written as 4 h, 30 min, or 1 h 30 min."
      heads={['Priority', 'Category', 'Organization', ...Object.values(clockKinds), 'Hours']}
      rows={targets.map((_target, index) => (
        <TargetLine key={index} fields={fields} index={index} />
      ))}
      add="Add target"
      mostRows={mostTargets}
      onAdd={() => fields.insertListItem('targets', newTarget)}
    />
  )
}

function TargetLine({ fields, index }: { fields: Props['form']['fields']; index: number }) {
  const at = (field: string) => {
    const path = `targets.${index}.${field}`
    return { ...fields.getInputProps(path), 'data-path': path }
  }
  const ofRow = `of target ${index + 1}`
  return (
    <tr>
      <td>
        <NativeSelect
          aria-label={`Priority ${ofRow}`}
          data={asChoices(ticketPriorities, 'Any')}
          {...at('priority')}
        />
      </td>
      <CriteriaCells
        at={at}
        organization={fields.getValues().targets[index]!.organization_id}
        ofRow={ofRow}
      />
      {timeFields.map((field) => (
        <td key={field}>
          <TextInput
            aria-label={`${clockKinds[field]} ${ofRow}`}
            placeholder="No target"
            maxLength={20}
            {...at(field)}
          />
        </td>
      ))}
      <td>
        <NativeSelect
          aria-label={`Hours ${ofRow}`}
          data={[
            { value: '1', label: 'Working hours' },
            { value: '0', label: 'Around the clock' },
          ]}
          {...at('in_working_hours')}
        />
      </td>
      <td>
        <RowButtons
          name={`target ${index + 1}`}
          isFirst={index === 0}
          onUp={() => fields.reorderListItem('targets', { from: index, to: index - 1 })}
          onRemove={() => fields.removeListItem('targets', index)}
        />
      </td>
    </tr>
  )
}
