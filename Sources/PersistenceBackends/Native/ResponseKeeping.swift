/// A backend that keeps the network's response as it came: an app that uses it decodes no response
/// before storing it.
public protocol ResponseKeeping: Backend {}
