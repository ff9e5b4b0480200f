import { Spotlight } from '@mantine/spotlight'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { searchText } from '#shared/search-text.ts'
import type { PageAct } from '#web/palette/pageActs.ts'

/** The second step of an action: its options. */
export function Choices({
  step,
  words,
  onChoose,
}: {
  step: PageAct
  words: string
  onChoose: (act: PageAct) => void
}) {
  const shown = (step.choices ?? []).filter(({ label }) => searchText(label).includes(words))
  return (
    <Spotlight.ActionsList>
      <Spotlight.ActionsGroup label={step.label}>
        {shown.map(({ id, label, isCurrent, whyNot, run }) => (
          <Spotlight.Action
            key={id}
            label={label}
            description={whyNot}
            disabled={whyNot !== undefined}
            rightSection={isCurrent && <IconCheck size={14} aria-label="chosen" />}
            onClick={() => onChoose({ id, label, run })}
          />
        ))}
      </Spotlight.ActionsGroup>
      {shown.length === 0 && <Spotlight.Empty>No results found.</Spotlight.Empty>}
    </Spotlight.ActionsList>
  )
}
