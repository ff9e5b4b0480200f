import { Kbd, Modal } from '@mantine/core'
import classes from '#web/keys/KeyList.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

const keys = [
  ['/', 'Search this list'],
  ['j ↓', 'Next row, or next record on a record page'],
  ['k ↑', 'Previous row, or previous record on a record page'],
  ['x', 'Select row'],
  ['Enter', 'Open row'],
  ['n', 'Write a note on a record'],
  ['e', 'Write an email on a record, or mark an item of My day as done'],
  ['c', 'Log a call with a lead'],
  ['s', 'Plan a session with a lead, or snooze an item of My day'],
  ['t', 'Move a lead’s follow-up to tomorrow'],
  ['w', 'Move a lead’s follow-up to this day next week'],
  ['d', 'Choose a lead’s follow-up date'],
  ['u', 'Undo your last change of a lead'],
  ['r', 'Write a reply on a ticket'],
  ['a', 'Assign a ticket to yourself'],
  ['Ctrl Shift 1 … 9', 'Send a reply and set the status with this place in the menu of Send'],
  ['Ctrl K', 'Search, jump to a page, or act on the open one (⌘ K on Mac)'],
  ['Ctrl Enter', 'Save a form, or open a search result in a new tab (⌘ Enter on Mac)'],
  ['Backspace', 'Go back a step in the search'],
  ['Esc', 'Close dialog or menu; leave a text; return to the list from an open record'],
  ['?', 'Show keyboard shortcuts'],
] as const

interface Props {
  goLinks: readonly { key: string; label: string }[]
  onClose: () => void
}

export default function KeyList({ goLinks, onClose }: Props) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Keyboard shortcuts" size="sm">
      <dl className={classes.keys}>
        {[...keys, ...goLinks.map(({ key, label }) => [`g ${key}`, `Open ${label}`] as const)].map(
          ([key, does]) => (
            <div key={key}>
              <dt>
                <Kbd>{key}</Kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ),
        )}
      </dl>
    </Modal>
  )
}
