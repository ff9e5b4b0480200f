import { Button, NativeSelect, TextInput } from '@mantine/core'
import { clockKinds, ticketPriorities } from '#features/crm/support/rules.ts'
import { CriteriaCells, RowButtons } from '#features/crm/support/web/targets/Criteria.tsx'
import { newTarget, timeFields, type Values } from '#features/crm/support/web/targets/targetForm.ts'
import classes from '#features/crm/support/web/targets/targets.module.css'
import { asChoices } from '#web/filter/useOptions.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  form: DraftForm<Values>
}

/** The targets in their order; a row has the tickets that it is for, and its times. */
export function TargetTable({ form: { fields } }: Props) {
  const { targets } = fields.getValues()
  return (
    <section className={classes.card} aria-labelledby="targets">
      <h2 id="targets">Targets</h2>
      <Soft as="p">
        The first row that fits a ticket applies. Times are written as 4 h, 30 min, or 1 h 30 min.
      </Soft>
      {targets.length > 0 && (
        <div className={classes.scroll}>
          <table>
            <thead>
              <tr>
                {['Priority', 'Category', 'Organization', ...Object.values(clockKinds), 'Hours'].map(
                  (name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ),
                )}
                <td />
              </tr>
            </thead>
            <tbody>
              {targets.map((_target, index) => (
                <TargetLine key={index} fields={fields} index={index} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Button
        variant="default"
        size="xs"
        disabled={targets.length >= 50}
        onClick={() => fields.insertListItem('targets', newTarget)}
      >
        Add target
      </Button>
    </section>
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
      <RowButtons
        name={`target ${index + 1}`}
        isFirst={index === 0}
        onUp={() => fields.reorderListItem('targets', { from: index, to: index - 1 })}
        onRemove={() => fields.removeListItem('targets', index)}
      />
    </tr>
  )
}
