import { useState } from 'react'
import { isNothing } from '#web/record/fieldWords.ts'
import { InPlace, type Fact } from '#web/record/InPlace.tsx'
import classes from '#web/record/record.module.css'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'

interface FactsProps {
  title: string
  /** Whether the title is only read aloud, because the facts explain themselves. */
  isTitleHidden?: boolean
  facts: readonly Fact[]
}

/**
 * A group of facts about a record; empty facts are collapsed, and editable ones are edited by clicking them.
 */
export function Facts({ title, isTitleHidden, facts }: FactsProps) {
  const [open, setOpen] = useState(false)
  const [changed, setChanged] = useState<readonly string[]>([])
  const empty = facts.filter(
    ({ name, value, always }) => !always && (isNothing(value) || value === false) && !changed.includes(name),
  )
  const shown = open ? facts : facts.filter((fact) => !empty.includes(fact))
  return (
    <Panel aria-label={title}>
      {!isTitleHidden && <h2>{title}</h2>}
      <dl className={classes.facts} data-palette-part="This page">
        {shown.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>
              {fact.edit ? (
                <InPlace
                  fact={fact}
                  edit={fact.edit}
                  onSaved={() => setChanged((names) => [...names, fact.name])}
                />
              ) : (
                (fact.value ?? <Soft as="span">—</Soft>)
              )}
            </dd>
          </div>
        ))}
      </dl>
      {empty.length > 0 && (
        <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open
            ? 'Hide empty fields'
            : `Show ${empty.length} empty ${empty.length === 1 ? 'field' : 'fields'}`}
        </button>
      )}
    </Panel>
  )
}
