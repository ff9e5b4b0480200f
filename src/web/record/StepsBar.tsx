import type { ReactNode } from 'react'
import { ActionIcon } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { Neighbors } from '#web/record/useNeighbors.ts'
import classes from '#web/record/StepsBar.module.css'
import { countText, totalText } from '#web/time.ts'

interface Props {
  /** Singular name for the list's records, such as `lead`. */
  one: string
  listPosition: Pick<Neighbors, 'walk' | 'isListed' | 'total' | 'isCapped' | 'previous' | 'next'>
  onStep: (by: 1 | -1) => void
  /** Link back to the list. */
  children: ReactNode
}

/** Navigation through a list: a link back to it, the position within it, and steps in either direction. */
export function StepsBar({
  one,
  listPosition: { walk, isListed, total, isCapped, previous, next },
  onStep,
  children,
}: Props) {
  return (
    <nav aria-label="Record navigation" className={classes.steps}>
      {children}
      <Step
        label={`Previous ${one}`}
        sign="k"
        onStep={previous && (() => onStep(-1))}
        icon={<IconChevronLeft size={16} aria-hidden />}
      />
      <span className={classes.place} title={isListed ? undefined : `This ${one} is no longer in the list.`}>
        {`${countText(Math.min(walk.place, total))} of ${totalText(total, isCapped)}`}
      </span>
      <Step
        label={`Next ${one}`}
        sign="j"
        onStep={next && (() => onStep(1))}
        icon={<IconChevronRight size={16} aria-hidden />}
      />
    </nav>
  )
}

function Step({
  label,
  sign,
  onStep,
  icon,
}: {
  label: string
  sign: string
  onStep: (() => void) | undefined
  icon: ReactNode
}) {
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={label}
      title={`${label} (${sign})`}
      disabled={!onStep}
      onClick={onStep}
    >
      {icon}
    </ActionIcon>
  )
}
