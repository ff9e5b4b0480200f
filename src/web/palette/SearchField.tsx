import type { KeyboardEvent } from 'react'
import { Spotlight } from '@mantine/spotlight'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { endTypeAhead } from '#web/keys/typeAhead.ts'
import { usePhone } from '#web/list/usePhone.ts'
import type { PaletteHit } from '#web/palette/Palette.tsx'
import classes from '#web/palette/Palette.module.css'
import type { PaletteStep } from '#web/palette/resultActs.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

interface SearchProps {
  step: PaletteStep | undefined
  /** The record whose page is open. */
  record: PaletteHit | undefined
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void
  /** Called with what was typed before the field was there. */
  onTyped: (typed: string) => void
}

/** The field of the palette, behind the name of the open record or of the action whose options are shown. */
export function SearchField({ step, record, onKey, onTyped }: SearchProps) {
  const isPhone = usePhone()
  const chip = step?.label ?? (isPhone ? undefined : record?.label)
  const prompt = record
    ? `Search, jump, or act on this ${record.detail}…`
    : 'Search, jump, or act on this page…'
  return (
    <Spotlight.Search
      data-palette
      placeholder={step ? (step.prompt ?? 'Choose a value…') : prompt}
      aria-label={step ? step.label : 'Search or jump to'}
      leftSection={chip === undefined ? <IconSearch size={16} aria-hidden /> : <Chip name={chip} />}
      {...(chip !== undefined && { leftSectionWidth: isPhone ? 150 : 240 })}
      onKeyDownCapture={onKey}
      onFocus={() => {
        const typed = endTypeAhead()
        if (typed) onTyped(typed)
      }}
    />
  )
}

export const Keys = ({ step }: Pick<SearchProps, 'step'>) => (
  <Spotlight.Footer className={classes.foot}>
    <KeyHint name="↑ ↓">choose</KeyHint>
    <KeyHint name="Enter">{step ? (step.enter ?? 'set') : 'open'}</KeyHint>
    {step ? (
      <KeyHint name="Backspace">back</KeyHint>
    ) : (
      <>
        <KeyHint name="Ctrl Enter">new tab</KeyHint>
        <KeyHint name="Tab">actions of a result</KeyHint>
        <KeyHint name="?">all keys</KeyHint>
      </>
    )}
    <VisuallyHidden role="status">
      {step && `${step.label}: ${step.choices?.length ?? 0} choices. Press Backspace to go back.`}
    </VisuallyHidden>
  </Spotlight.Footer>
)

const KeyHint = ({ name, children }: { name: string; children: string }) => (
  <span>
    <kbd className={classes.key}>{name}</kbd> {children}
  </span>
)

/** The open record, or the action whose value is being chosen, in front of the field. */
const Chip = ({ name }: { name: string }) => (
  <span className={classes.step} title={name}>
    {name}
  </span>
)
