import { Component, type ComponentChildren } from 'preact';
import { visibleText } from './visible-text.ts';

/** Shows what is in it, or that it cannot be shown: what comes from a file need not be what it says. */
export class OrFault extends Component<{ readonly children: ComponentChildren }, { fault?: string }> {
  override state: { fault?: string } = {};

  override componentDidCatch(thrown: unknown): void {
    this.setState({ fault: thrown instanceof Error ? thrown.message : String(thrown) });
  }

  render() {
    const { fault } = this.state;
    return fault === undefined ? (
      this.props.children
    ) : (
      <p class="notice fault">This cannot be shown: {visibleText(fault)}</p>
    );
  }
}
