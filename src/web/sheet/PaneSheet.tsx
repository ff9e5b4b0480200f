import { useState, type ReactNode } from 'react'
import { useElementSize } from '@mantine/hooks'
import IconLayoutSidebarRight from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRight.mjs'
import { IconButton } from '#web/parts/controls.tsx'
import { Later } from '#web/parts/Later.tsx'
import classes from '#web/sheet/sheet.module.css'

/** Width from which the properties fit beside the main part. */
const widthForRail = 840

/**
 * Returns whether the properties fit beside the record, and the button that shows them otherwise, for the heading of
 * the record.
 */
export function usePaneRail() {
  const { ref, width } = useElementSize()
  const [isOpen, setOpen] = useState(false)
  const isWide = width >= widthForRail
  const toggle = !isWide && (
    <IconButton label="Details" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      <IconLayoutSidebarRight size={16} stroke={1.5} aria-hidden />
    </IconButton>
  )
  return { ref, isWide, isOpen, toggle }
}

interface Props {
  pane: ReturnType<typeof usePaneRail>
  /** Heading of the record, with `pane.toggle`. */
  head: ReactNode
  /** The main part; its parts decide what scrolls. */
  children: ReactNode
  /** Sections with the record's properties. */
  rail: ReactNode
}

/** Frame of a record beside its list: as a `Sheet`, with the properties behind a button if the pane is narrow. */
export const PaneSheet = ({ pane: { ref, isWide, isOpen }, head, children, rail }: Props) => (
  <div ref={ref} className={classes.pane} data-wide={isWide || undefined} data-details={isOpen || undefined}>
    {head}
    <div className={classes.paneParts}>
      <div className={classes.main}>{children}</div>
      {(isWide || isOpen) && (
        <aside className={classes.rail} aria-label="Properties" data-palette-part="This page">
          <Later>{rail}</Later>
        </aside>
      )}
    </div>
  </div>
)
