import classes from '#features/panel/session/web/LoginPage.module.css'

const ShowOrHide = ({ reveal }: { reveal: boolean }) => (reveal ? 'Hide' : 'Show')

/** Props of a password field with a button that shows or hides the password, for the keyboard as well. */
export const showPasswordProps = (what = 'password') => ({
  rightSectionWidth: 56,
  classNames: { visibilityToggle: classes.show },
  visibilityToggleIcon: ShowOrHide,
  // Mantine's size is for an icon.
  visibilityToggleButtonProps: {
    w: 48,
    'aria-label': `Show or hide ${what}`,
    'aria-hidden': false,
    tabIndex: 0,
  },
})
