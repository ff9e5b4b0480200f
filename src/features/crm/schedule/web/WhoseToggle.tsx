import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { z } from 'zod'
import { whose } from '#shared/appointments.contract.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { personalKey } from '#web/session.ts'

type Whose = z.output<typeof whose>

const names = { mine: 'Mine', all: 'Team' } as const satisfies Record<Whose, string>

/**
 * Returns whose sessions are shown, and a function that changes it. The URL decides; without it, they are those
 * that the user chose last.
 */
export function useWhose(
  asked: Whose | undefined,
  change: (change: { assigned_filter: Whose }) => Promise<void>,
): { assigned_filter: Whose; choose: (next: Whose) => void } {
  const [stored, store] = useLocalStorage<Whose>({
    key: personalKey('schedule-of'),
    defaultValue: 'all',
    getInitialValueInEffect: false,
  })
  const assigned_filter = asked ?? (stored === 'mine' ? 'mine' : 'all')
  const choose = (next: Whose) => {
    store(next)
    void change({ assigned_filter: next })
  }
  return { assigned_filter, choose }
}

interface Props {
  chosen: Whose
  onChoose: (next: Whose) => void
}

/** Toggle between the viewer's own sessions and those of the team. */
export function WhoseToggle({ chosen, onChoose }: Props) {
  usePageKeys({ m: () => onChoose(chosen === 'mine' ? 'all' : 'mine') })
  return (
    <Button.Group aria-label="Sessions of">
      {whose.options.map((one) => (
        <Button
          key={one}
          size="xs"
          variant={chosen === one ? 'light' : 'default'}
          aria-pressed={chosen === one}
          title="m"
          onClick={() => onChoose(one)}
        >
          {names[one]}
        </Button>
      ))}
    </Button.Group>
  )
}
