import { useRef, useState } from 'react'
import { Button, Modal, TextInput } from '@mantine/core'
import { chipsOf } from '#web/filter/FilterChips.tsx'
import { FilterPanel } from '#web/filter/FilterPanel.tsx'
import type { AnyGroups } from '#web/filter/groupFilter.tsx'
import classes from '#web/filter/groups.module.css'
import { Chip, Chips } from '#web/parts/Chips.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props extends AnyGroups {
  /** The group that is edited; undefined for a new one. */
  text?: string | undefined
  onSave: (text: string) => void
  onClose: () => void
}

/** Dialog with the filters of a group. */
export default function GroupDialog({ groups, filtersOf, text, onSave, onClose }: Props) {
  const dialog = useDialog()
  const [group, setGroup] = useState(() => groups.read(text ?? ''))
  const [problem, setProblem] = useState('')
  const controls = useRef<HTMLFieldSetElement>(null)
  const filters = filtersOf(group)
  const change = (changed: object) => {
    setGroup((now: object) => ({ ...now, ...changed }))
    setProblem('')
  }
  const active = chipsOf(filters, group, change)

  function save(): void {
    const wrong = controls.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (wrong) {
      wrong.focus()
      return setProblem('Correct or clear the marked filter.')
    }
    const written = groups.write(group)
    if (written === '') return setProblem('Choose at least one filter.')
    if (written.length > groups.longest)
      return setProblem('This group is too long. Remove some of its filters.')
    onSave(written)
    onClose()
  }

  return (
    <Modal
      {...dialog}
      opened
      onClose={onClose}
      title={text === undefined ? 'Match any of' : 'Edit group'}
      size="xl"
    >
      <div className={classes.form}>
        <p className={classes.explain}>
          The list shows what matches all filters of this group, or all filters of another group. The filters
          outside of the groups apply to all of them.
        </p>
        {active.length > 0 && (
          <Chips label="Filters of this group">
            {active.map((one) => (
              <Chip key={one.id} text={one.text} aria-label={`Remove ${one.text}`} onClick={one.clear} />
            ))}
          </Chips>
        )}
        <fieldset ref={controls} className={classes.controls} aria-label="Filters">
          <TextInput
            size="xs"
            aria-label="Search"
            placeholder="Search"
            maxLength={200}
            value={group.search ?? ''}
            onChange={(event) => change({ search: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save()
            }}
          />
          <FilterPanel filters={filters} now={group} onChange={change} />
        </fieldset>
        <div className={classes.acts}>
          <span role="alert" className={classes.problem}>
            {problem}
          </span>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save}>{text === undefined ? 'Add group' : 'Save group'}</Button>
        </div>
      </div>
    </Modal>
  )
}
