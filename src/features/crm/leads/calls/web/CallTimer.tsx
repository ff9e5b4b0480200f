import { Button } from '@mantine/core'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import IconPhoneOff from '@tabler/icons-react/dist/esm/icons/IconPhoneOff.mjs'
import { isRunning, timerText } from '#features/crm/leads/calls/rules.ts'
import classes from '#features/crm/leads/calls/web/calls.module.css'
import { useSecond } from '#web/useSecond.ts'

interface Props {
  /** When the call started, as ISO 8601 text; empty if it didn't. */
  started_at: string
  onStart: () => void
  onEnd: () => void
}

/** How long the call takes so far, and the button that ends it, or starts one. */
export function CallTimer({ started_at, onStart, onEnd }: Props) {
  const now = useSecond()
  if (!isRunning(started_at, now))
    return (
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPhone size={14} stroke={1.5} aria-hidden />}
        onClick={onStart}
      >
        Start call
      </Button>
    )
  return (
    <span className={classes.timer}>
      <IconPhone size={16} stroke={1.5} aria-hidden />
      <span role="timer" aria-label="Call time">
        {timerText(started_at, now)}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPhoneOff size={14} stroke={1.5} aria-hidden />}
        onClick={onEnd}
      >
        End call
      </Button>
    </span>
  )
}
