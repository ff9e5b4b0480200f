import { Button, Modal } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { DashboardName } from '#features/panel/dashboard/contract.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { moved, ordered, places, type Parts, type Place } from '#features/panel/dashboard/web/cards.ts'
import { useArrange, useArrangement, useReset } from '#features/panel/dashboard/web/useArrangement.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { LineList, LineName } from '#web/parts/LineList.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

const placeNames: Record<Place, string> = {
  tiles: 'Numbers',
  wide: 'Wide column',
  narrow: 'Narrow column',
  full: 'Full width',
  half: 'Last row',
}

interface Props {
  dashboard: DashboardName
  /** The parts that the viewer can see. */
  parts: Parts
  onClose: () => void
}

/** Dialog for hiding the cards of the dashboard and for moving them within their place; changes are saved immediately. */
export default function ArrangeCards({ dashboard, parts, onClose }: Props) {
  const dialog = useDialog()
  const reset = useReset(dashboard)
  const { hidden, order } = useArrangement(dashboard)
  return (
    <Modal {...dialog} opened onClose={onClose} title="Arrange cards">
      {places.map(
        (place) =>
          parts[place].length > 0 && (
            <section key={place} aria-labelledby={`arrange-${place}`} className={classes.arranged}>
              <h3 id={`arrange-${place}`} className={classes.shortcutTitle}>
                {placeNames[place]}
              </h3>
              <Lines dashboard={dashboard} parts={parts} place={place} />
            </section>
          ),
      )}
      <Button
        variant="default"
        disabled={hidden.length === 0 && order.length === 0}
        onClick={() => void reset()}
      >
        Reset cards
      </Button>
    </Modal>
  )
}

function Lines({ dashboard, parts, place }: Omit<Props, 'onClose'> & { place: Place }) {
  const arrange = useArrange(dashboard)
  const { hidden, order } = useArrangement(dashboard)
  const all = ordered(parts[place], order)
  const move = (id: string, by: 1 | -1) => void arrange({ hidden, order: moved(parts, order, id, by) })
  const turn = (id: string) =>
    void arrange({
      order,
      hidden: hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id],
    })
  return (
    <LineList>
      {all.map(({ id, name }, index) => (
        <li key={id}>
          <LineName>
            {name} {hidden.includes(id) && <Soft as="span">Hidden</Soft>}
          </LineName>
          <IconButton
            bare
            label={`Move up: ${name}`}
            aria-disabled={index === 0}
            onClick={() => move(id, -1)}
          >
            <IconArrowUp size={15} aria-hidden />
          </IconButton>
          <IconButton
            bare
            label={`Move down: ${name}`}
            aria-disabled={index === all.length - 1}
            onClick={() => move(id, 1)}
          >
            <IconArrowDown size={15} aria-hidden />
          </IconButton>
          <LinkButton
            aria-label={`${hidden.includes(id) ? 'Show' : 'Hide'}: ${name}`}
            onClick={() => turn(id)}
          >
            {hidden.includes(id) ? 'Show' : 'Hide'}
          </LinkButton>
        </li>
      ))}
    </LineList>
  )
}
