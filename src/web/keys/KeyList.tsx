import { Kbd, Modal } from '@mantine/core'
import classes from '#web/list/list.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

const keys = [
  ['/', 'Search this list'],
  ['j ↓', 'Next row; on a lead, the next of its list'],
  ['k ↑', 'Previous row; on a lead, the previous of its list'],
  ['x', 'Select the row'],
  ['Enter', 'Open the row'],
  ['Ctrl K', 'Go to a page or a record (⌘ K on a Mac)'],
  ['Ctrl Enter', 'Save a form (⌘ Enter on a Mac)'],
  ['Esc', 'Close what is open'],
  ['?', 'This list'],
] as const

export default function KeyList({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Keys" size="sm">
      <dl className={classes.keys}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
