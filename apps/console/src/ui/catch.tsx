import { Component, type ReactNode } from 'react';

type CatchProps = {
  fallback: ReactNode;
  /** A new place is a new try. */
  place?: string;
  children: ReactNode;
};

/** What a page throws ends here, not in an empty window: most of all that its code cannot be fetched. */
export class Catch extends Component<CatchProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate({ place }: CatchProps) {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
